/** systemd reads the unit, and finds it well protected. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.js';
import { root } from '../packaging/checkout.js';
import { TEST_SECRET_KEY } from '../support/app.js';
import { Command, emptyFolder } from '../support/cli.js';
import { expect, test } from '../support/jest.js';
import { describeWith } from '../support/programs.js';

const PROGRAM = '/usr/local/bin/moorage';
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

/** @param unit with the program of the test, because systemd checks that it exists */
async function analyze(unit: string, ...args: string[]) {
  const folder = emptyFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'moorage.service');
  expect(unit).toContain(PROGRAM);
  writeFileSync(file, unit.replace(PROGRAM, process.execPath));
  const { status, stdout, stderr } = await new Command(
    [...args, file],
    {},
    { by: ['systemd-analyze'] },
  ).outcome;
  return { status, output: stdout + stderr };
}

describeWith(['systemd-analyze'], 'REQUIRE_SYSTEMD', 'the unit', () => {
  test('has no mistake', async () => {
    expect(await analyze(read('moorage.service'), 'verify')).toEqual({ status: 0, output: '' });
    // A mistake is seen.
    const { output } = await analyze(read('moorage.service').replace('UMask=', 'UMsk='), 'verify');
    expect(output).toContain("Unknown key 'UMsk' in section [Service]");
  });

  test('has a security score of at most 2', async () => {
    const score = ['security', '--offline=true', '--threshold=20', '--no-pager'];
    expect((await analyze(read('moorage.service'), ...score)).status).toBe(0);
    const weak = read('moorage.service').replace(/^SystemCallFilter=.*\n/gm, '');
    expect((await analyze(weak, ...score)).status).not.toBe(0);
  });
});

test('its settings are those of a program in production', () => {
  const settings = Object.fromEntries(
    read('moorage.env')
      .split('\n')
      .map((line) => line.replace(/^#(?=[A-Z_0-9]+=)/, ''))
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  // Also those that are commented out.
  const config = readConfig({
    ...settings,
    SECRET_KEY: TEST_SECRET_KEY,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  expect(config).toMatchObject({
    production: true,
    baseUrl: 'https://files.example.org',
    trustProxy: 1,
    blobs: { kind: 's3' },
    database: { client: 'postgres' },
  });
});
