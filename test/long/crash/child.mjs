/** The server under attack: as built, with a sweep that never rests beside its background work. */
import { readConfig } from '../../dist/config.js';
import { sweep } from '../../dist/actions/sweep.js';
import { startServer } from '../../dist/server.js';

const running = await startServer(readConfig(process.env));
process.stdout.write(`${running.address}\n`);
for (;;) {
  await sweep(running.services).catch((error) => process.stderr.write(`sweep: ${error.message}\n`));
  await new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
}
