/** The server under attack: the built program. */
import { readConfig } from '../../../dist/config.js';
import { startServer } from '../../../dist/server.js';

const { address } = await startServer(readConfig(process.env));
process.stdout.write(`${address}\n`);
