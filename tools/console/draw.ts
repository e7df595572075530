import { writeFile } from 'node:fs/promises';
import { startBrowser } from './browser.js';
import { drawPictures, ensurePictureFolder, pictureFile } from './pictures.js';
import { withPalette } from './png-palette.js';

// node tools/bootstrap/run.mjs tools/console/draw.ts: draws the pictures of docs/console.md anew.
const browser = await startBrowser(console.log);
try {
  await ensurePictureFolder();
  await drawPictures(browser, async ({ name }, png) => {
    const small = withPalette(png);
    await writeFile(pictureFile(name), small);
    console.log(`${pictureFile(name)} (${(small.length / 1024).toFixed(0)} KiB)`);
  });
} finally {
  await browser.close();
}
