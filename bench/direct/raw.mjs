/** The bare program for the finaliser: reads and hashes an object at a signed address. Prints milliseconds, and those of the processor. */
import { createHash } from 'node:crypto';
import { get } from 'node:http';

const started = performance.now();
const used = process.cpuUsage();
get(process.argv[2], (response) => {
  const hash = createHash('sha256');
  response
    .on('data', (chunk) => hash.update(chunk))
    .on('end', () => {
      hash.digest('hex');
      const { user, system } = process.cpuUsage(used);
      const ms = performance.now() - started;
      process.stdout.write(`${JSON.stringify({ ms, cpu: (user + system) / 1000 })}\n`);
    });
});
