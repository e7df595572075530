import 'reflect-metadata'; // tsyringe refuses to load without it
export {};
