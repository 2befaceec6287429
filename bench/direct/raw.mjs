/** The bare program for the finaliser: reads and hashes an object at a signed address. Prints milliseconds. */
import { createHash } from 'node:crypto';
import { get } from 'node:http';

const started = performance.now();
get(process.argv[2], (response) => {
  const hash = createHash('sha256');
  response
    .on('data', (chunk) => hash.update(chunk))
    .on('end', () => {
      hash.digest('hex');
      process.stdout.write(`${performance.now() - started}\n`);
    });
});
