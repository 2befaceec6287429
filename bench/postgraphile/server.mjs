/**
 * PostGraphile on the rows of the benchmark, as its manual configures it for production.
 * It knows no callers and no permissions. It reads as the owner of the tables.
 *
 * Starts with DATABASE_URL, PEER_SCHEMA, and PEER_FOLDER, which has its packages. Writes its address to standard output.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.PEER_FOLDER, 'package.json'));
const { postgraphile } = require('postgraphile');
const { makePgService } = require('postgraphile/adaptors/pg');
const { grafserv } = require('postgraphile/grafserv/node');
const { PostGraphileAmberPreset } = require('postgraphile/presets/amber');

const server = createServer({ keepAliveTimeout: 65_000 });
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  grafast: { explain: false },
  // Text is written without an object between. This is the faster of two settings.
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: [process.env.PEER_SCHEMA],
      poolConfig: { max: 10 },
    }),
  ],
});
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })}\n`,
  ),
);
process.once('SIGTERM', () => process.exit(0));
