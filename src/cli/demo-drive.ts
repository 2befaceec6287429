/** The address of the demo's drive, which `serve` writes down for the other commands. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readConfig, type Config } from '../config.js';
import { besideDatabase } from './demo-keys.js';

const pathOf = (config: Config) => besideDatabase(config, 'demo-drive.json');

const isSet = ({ CLOUD_DRIVE_LOGIN_URL, CLOUD_DRIVE_API_URL } = process.env): boolean =>
  CLOUD_DRIVE_LOGIN_URL !== undefined || CLOUD_DRIVE_API_URL !== undefined;

/** Whether the settings leave room for the drive of the demo. */
export const isDriveFree = ({ cloudDriveEnabled }: Config): boolean =>
  cloudDriveEnabled && !isSet();

const settingsOf = (address: string) => ({
  CLOUD_DRIVE_LOGIN_URL: address,
  CLOUD_DRIVE_API_URL: `${address}/v1.0`,
  CLOUD_DRIVE_UPLOAD_HOSTS: address,
});

/** Adds the drive to the settings of this process and its workers. */
export function useDrive(address: string): Config {
  Object.assign(process.env, settingsOf(address));
  return readConfig(process.env);
}

/** For the other commands, while the server runs. */
export function rememberDrive(config: Config, address: string): void {
  const path = pathOf(config);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(settingsOf(address), null, 2)}\n`, { mode: 0o660 });
}

/** The configuration of a command beside the server. */
export function readConfigWithDrive(): Config {
  const config = readConfig(process.env);
  if (!config.demo || !isDriveFree(config)) return config;
  try {
    const settings = JSON.parse(readFileSync(pathOf(config), 'utf8')) as object;
    return readConfig({ ...process.env, ...settings });
  } catch {
    // There is no demo.
    return config;
  }
}
