/** The searched server, in a process of its own, so that its cost can be told from the search. */
import 'reflect-metadata';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { startServer } from '../../../src/server.js';
import { Meter } from './meter.js';
import { fill } from './world.js';

const { ABUSE_FOLDER, ABUSE_STORAGE, ABUSE_DATABASE } = process.env;
const folder = ABUSE_FOLDER!;
const storageUrl = ABUSE_STORAGE!;

const config = readConfig({
  DATABASE_URL: ABUSE_DATABASE || `sqlite:${join(folder, 'db.sqlite3')}`,
  BLOB_STORE: `disk:${join(folder, 'blobs')}`,
  SECRET_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
  PORT: '0',
  BACKGROUND_WORK: 'false',
  SHUTDOWN_SECONDS: '0',
  BUSY_REQUESTS: '100000',
  CLOUD_DRIVE_LOGIN_URL: storageUrl,
  CLOUD_DRIVE_API_URL: storageUrl,
});
const running = await startServer(config, pino({ level: 'silent' }));
const { db } = running.services;
const meter = new Meter([db.read, db.write]);
const ids = await fill(running.services, storageUrl);

process.on('message', (message: 'begin' | 'end' | 'stop') => {
  if (message === 'begin') meter.begin();
  if (message === 'stop') return void running.stop().then(() => process.exit(0));
  process.send!(message === 'end' ? meter.end() : {});
});
process.on('disconnect', () => process.exit(0));
process.send!({ address: running.address, ids });
