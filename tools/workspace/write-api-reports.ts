// npm run api-report [-- PACKAGE_FOLDER...]
import { writeReports } from './api-report/reports.js';

const written = writeReports(process.argv.slice(2));
for (const file of written) console.log(`wrote ${file}`);
if (written.length === 0) console.log('api reports: nothing changed');
