/** Compose reads `compose.yaml`, and the program works with its settings and with real servers. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bash, root, succeeded } from '../packaging/checkout.js';
import { blocksOf } from '../packaging/pages.js';
import { startClamd } from '../support/clamd.js';
import { Command, emptyFolder, endCommands, run, serve, type Environment } from '../support/cli.js';
import { freshDatabase, on } from '../support/database.js';
import { afterAll, expect, test } from '../support/jest.js';
import { describeWith } from '../support/programs.js';
import { describeS3, freshBucket } from '../support/rgw.js';
import { readsFile, useService } from '../support/smoke.js';

afterAll(endCommands);

interface Service {
  image: string;
  environment?: { [name: string]: string | number };
  volumes?: string[];
  [member: string]: unknown;
}

/** The folder as the page says: with the file `.env`. */
async function prepared(): Promise<string> {
  const folder = emptyFolder();
  cpSync(join(root, 'deploy'), folder, { recursive: true });
  const [block] = blocksOf('docs/how-to/run-in-production.md').filter(({ text }) =>
    text.startsWith('cd deploy\n'),
  );
  succeeded(await bash(block!.text.replace('cd deploy\n', ''), folder));
  return folder;
}

const compose = (folder: string, ...args: string[]) =>
  new Command(['-f', 'compose.yaml', ...args], {}, { cwd: folder, by: ['docker-compose'] }).outcome;

async function stop(command: Command): Promise<void> {
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
}

/** Makes a project with a manager, as the page says. @returns an API key of the manager */
async function keyOfNewPerson(environment: Environment): Promise<string> {
  const moorage = async (...args: string[]) => succeeded(await run(args, environment));
  await moorage('project', 'create', 'quay', '--name', 'The quay');
  await moorage('user', 'create', 'kim', '--first-name', 'Kim', '--last-name', 'Keeper');
  await moorage('project', 'add-member', 'quay', 'kim', 'Manager');
  return (await moorage('api-key', 'create', '--login', 'kim')).trim();
}

/** The services with their settings, as Compose understands them. */
async function services(): Promise<{ [name: string]: Service }> {
  const folder = await prepared();
  const { services: read } = JSON.parse(
    succeeded(
      await bash(
        'docker-compose -f compose.yaml config | python3 -c "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"',
        folder,
      ),
    ),
  ) as { services: { [name: string]: Service } };
  return read;
}

describeWith(['docker-compose'], 'REQUIRE_COMPOSE', 'compose.yaml', () => {
  test('is valid with the file of secrets, and says which secret is missing without it', async () => {
    const folder = await prepared();
    expect(await compose(folder, 'config', '--quiet')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const without = emptyFolder();
    cpSync(join(root, 'deploy'), without, { recursive: true });
    const { status, stderr } = await compose(without, 'config', '--quiet');
    expect([status, stderr]).toEqual([1, expect.stringContaining('Missing mandatory value')]);
  });

  test('pins the images, gives the service no right that it does not need, and keeps data in volumes', async () => {
    const all = await services();
    expect(Object.keys(all).sort()).toEqual(['database', 'moorage', 'proxy', 'scanner', 'store']);
    const { moorage, ...others } = all;
    for (const { image } of Object.values(others))
      expect(image).toMatch(/:v?\d+\.\d+\.\d+|:17\.\d+/);
    expect(moorage).toMatchObject({
      image: 'moorage',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['moorage:/data:rw'],
    });
    expect(
      Object.entries(all)
        .filter(([, service]) => 'ports' in service)
        .map(([name]) => name),
    ).toEqual(['proxy']);
  });

  describeS3('its settings', () => {
    on('postgres')('work with PostgreSQL, an S3 store and a virus scanner', async () => {
      const { moorage } = await services();
      const [{ url }, bucket, clamd] = await Promise.all([
        freshDatabase(),
        freshBucket(),
        startClamd({
          settings: Object.fromEntries(
            readFileSync(join(root, 'deploy/clamd.conf'), 'utf8')
              .split('\n')
              .filter((line) => /^(?!User )[A-Z]/.test(line))
              .map((line) => line.split(' ') as [string, string]),
          ),
        }),
      ]);
      const environment: Environment = {
        ...Object.fromEntries(
          Object.entries(moorage!.environment!).map(([name, value]) => [name, String(value)]),
        ),
        NODE_ENV: 'production',
        // The servers of the test instead of those of compose.yaml.
        DATABASE_URL: url,
        S3_ENDPOINT: bucket.endpoint,
        S3_PUBLIC_ENDPOINT: bucket.endpoint,
        S3_BUCKET: bucket.bucket,
        S3_ACCESS_KEY_ID: bucket.accessKeyId,
        S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
        CLAMD_URL: `tcp://${clamd.tcp.host}:${clamd.tcp.port}`,
      };
      try {
        const first = await serve(environment);
        const { address, application, setup } = first.banner;
        expect(application).toBe('https://files.example.org/');
        expect((await fetch(`${address}/health/ready`)).status).toBe(200);

        // The first hour: an administrator by the link, a project, a person, and a file.
        const form = new URLSearchParams({
          token: new URL(setup!.url!).searchParams.get('token')!,
          login: 'ada',
          firstName: 'Ada',
          lastName: 'Lovelace',
          password: 'one harbour',
          repeated: 'one harbour',
        });
        const origin = 'https://files.example.org';
        const made = await fetch(`${address}/setup`, {
          method: 'POST',
          body: form,
          headers: { origin, 'sec-fetch-site': 'same-origin' },
        });
        expect([made.status, await made.text()]).toEqual([
          200,
          expect.stringContaining('You are signed in as <strong>ada</strong>'),
        ]);
        const key = await keyOfNewPerson(environment);
        const work = await fetch(`${address}/api/v3/projects/quay/work_packages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"subject":"Paint the bollards"}',
        });
        expect([work.status, await work.json()]).toEqual([
          201,
          expect.objectContaining({ id: 1, subject: 'Paint the bollards' }),
        ]);
        const { id } = await useService(address, key);
        await stop(first.command);

        const second = await serve(environment);
        await readsFile(second.banner.address, key, id);
        await stop(second.command);
        const { stdout } = await run(['doctor', '--json'], environment);
        const { checks } = JSON.parse(stdout) as { checks: { name: string; outcome: string }[] };
        // The last one sends a virus at the end of a file of the largest size.
        const names = ['database', 'blob store', 'direct upload', 'scanner'];
        expect(checks.filter(({ name }) => names.includes(name))).toEqual(
          names.map((name) => expect.objectContaining({ name, outcome: 'ok' })),
        );
      } finally {
        await clamd.stop();
      }
    });
  });
});
