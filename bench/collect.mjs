/** Loaded into a measured program. On SIGUSR2 it collects garbage. */
import { setTimeout as sleep } from 'node:timers/promises';

process.on('SIGUSR2', async () => {
  // Memory that a finalizer releases is found by the next collection.
  // This kind returns free pages to the system. Node 22 keeps them otherwise.
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(50);
  }
});
