/** The server under attack: the built program, with a cleanup that runs all the time. */
import { readConfig } from '../../../dist/config.js';
import { runCleanup } from '../../../dist/actions/operate/cleanup/run-cleanup.js';
import { startServer } from '../../../dist/server.js';

const running = await startServer(readConfig(process.env));
process.stdout.write(`${running.address}\n`);
for (;;) {
  await runCleanup(running.services).catch((error) =>
    process.stderr.write(`sweep: ${error.message}\n`),
  );
  await new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
}
