/**
 * `npm run demo:file-server`: a small file server for the tutorial, with one user and one file. It
 * keeps everything in memory. The tests use the same server.
 */
import { parseArgs } from 'node:util';
import { startFileServer } from '../demo/servers/file-server.js';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    moorage: { type: 'string', default: 'http://127.0.0.1:8080' },
  },
});

const client = { id: 'tutorial', secret: 'tutorial-secret' };
const server = await startFileServer({ port: Number(values.port) });
server.user('mia', { displayName: 'Mia Member', password: 'files' });
const id = server.file('mia', '/Plans/plan.pdf', { content: '%PDF-1.4 the plan' });
// The client of Moorage at this server. The browser comes back to this address.
server.setClient({
  ...client,
  redirectUri: `${values.moorage}/oauth_clients/${client.id}/callback`,
});

process.stdout.write(`The file server listens on ${server.url}
  user           mia, password files
  file           /Plans/plan.pdf with the id ${id}
  client         ${client.id}, secret ${client.secret}
  Ctrl-C stops.
`);
