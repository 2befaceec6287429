/**
 * PostGraphile on the rows of the benchmark, as its manual configures it for production.
 * It knows no callers and no permissions. It reads as the owner of the tables.
 *
 * Starts with DATABASE_URL and PEER_SCHEMA. Writes its address to standard output.
 */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

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
