/** Runs something with the configured services and closes them. */
import { pino } from 'pino';
import { readConfig } from '../config.js';
import { migrate } from '../database.js';
import { openServices } from '../services.js';

type Services = ReturnType<typeof openServices>;

export async function withServices<T>(use: (services: Services) => Promise<T>, { migrated = true } = {}): Promise<T> {
  const services = openServices(readConfig(process.env), pino({ level: 'warn' }, pino.destination(2)));
  try {
    if (migrated) await migrate(services.db);
    return await use(services);
  } finally {
    await services.close();
  }
}
