/** The tutorial works, step by step, in a copy of the checkout. */
import { rmSync } from 'node:fs';
import { endCommands, until, type Command } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';
import { copyOfCheckout } from './checkout.js';
import { blocksOf, TUTORIAL } from './pages.js';
import { answers, endGroup, Player, startDemo } from './play.js';

let folder: string;
let address: string;
let fileServer: string;
let player: Player;
let left = blocksOf(TUTORIAL).filter(({ language }) => language === 'sh');
const running: Command[] = [];

/** The next block of the page. */
function next(text: string) {
  const [block, ...others] = left;
  expect(block?.text).toContain(text);
  left = others;
  return block!;
}
const play = async (text: string) => answers(await player.run(next(text)));

beforeAll(async () => {
  folder = await copyOfCheckout();
  const demo = await startDemo(folder);
  running.push(demo.server);
  ({ address, fileServer } = demo);
  player = new Player(folder, {
    'http://127.0.0.1:8080': address,
    'http://127.0.0.1:8090': fileServer,
  });
}, 300_000);
afterAll(async () => {
  running.forEach(endGroup);
  await endCommands();
  rmSync(folder, { recursive: true, force: true });
});

test('steps 1 to 5: start, look around, explorer, upload, claim', async () => {
  expect(next('npm start').text).toBe('npm ci && npm start\n');
  const [query] = blocksOf(TUTORIAL).filter(({ language }) => language === 'graphql');
  const mia = new Browser();
  const page = await mia.post(`${address}/login/demo`, { login: 'mia' });
  expect(page.status).toBe(303);
  expect(await mia.query(query!.text)).toEqual({
    data: {
      workPackage: {
        id: expect.any(String),
        subject: 'Order bricks',
        attachments: { totalCount: 2 },
        fileLinks: {
          nodes: [
            { originData: { name: 'Angebot Ziegel.pdf' }, status: 'VIEW_ALLOWED' },
            { originData: { name: 'Deliveries, week 14.csv' }, status: 'VIEW_ALLOWED' },
            { originData: { name: 'Contract with Hansen.pdf' }, status: 'VIEW_NOT_ALLOWED' },
            { originData: { name: 'Old offer.pdf' }, status: 'NOT_FOUND' },
          ],
        },
      },
    },
  });

  await play('KEY=');
  expect(await play('notes.txt')).toEqual([expect.objectContaining({ id: 34 })]);
  expect(await player.run(next('/content'))).toContain('"total":3');
  expect(await play('plan.txt')).toEqual([expect.objectContaining({ id: 35 })]);
  expect(await play('Claim the plan')).toEqual([
    expect.objectContaining({ _type: 'WorkPackage', subject: 'Claim the plan' }),
  ]);
}, 60_000);

test('steps 6 and 7: connection, link', async () => {
  const rob = new Browser();
  await rob.post(`${address}/login/demo`, { login: 'rob' });
  let seen = await rob.get(
    `${address}/oauth_clients/moorage-demo-files/ensure_connection?storage_id=1`,
  );
  seen = await rob.follow(seen);
  expect(seen.text).toContain('Log in');
  const target = /name="redirect_url" value="([^"]*)"/
    .exec(seen.text)![1]!
    .replaceAll('&amp;', '&');
  seen = await rob.follow(
    await rob.post(`${fileServer}/login`, {
      user: 'rob',
      password: 'files',
      redirect_url: target,
    }),
  );
  expect(seen.text).toContain('Grant access');
  seen = await rob.follow(
    await rob.post(`${fileServer}/index.php/login/flow`, {
      clientIdentifier: 'moorage-demo-files',
    }),
  );
  expect([seen.status, seen.url]).toEqual([200, `${address}/`]);

  const [list] = (await play('files?parent=/Boathouse')) as [
    { files: { id: string; name: string }[] },
  ];
  const notes = 'Notes of the site visit.md';
  const file = list.files.find(({ name }) => name === notes);
  expect(await play('FILE=')).toEqual([expect.objectContaining({ total: 1 })]);
  const [links] = (await play('/file_links')) as [{ _embedded: { elements: object[] } }];
  expect(links._embedded.elements).toHaveLength(5);
  expect(links._embedded.elements).toContainEqual(
    expect.objectContaining({
      originData: expect.objectContaining({ id: file!.id, name: notes }),
      _links: expect.objectContaining({
        status: expect.objectContaining({ title: 'View allowed' }),
      }),
    }),
  );
}, 120_000);

test('steps 8 and 9: a webhook receives an event, and a file is deleted', async () => {
  const port = await freePort();
  player.replacements['8099'] = String(port);
  const receiver = player.start(next('http.createServer'));
  running.push(receiver);
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the receiver listens',
  );
  await play('createWebhook');
  await until(() => receiver.stdout.includes('announced.txt'), 'the receiver gets the event');
  expect(JSON.parse(receiver.stdout.trim().split('\n').at(-1)!)).toMatchObject({
    type: 'attachment:created',
  });
  await player.run(next('DELETE'));
  expect(left).toEqual([]);
}, 60_000);

interface Seen {
  status: number;
  url: string;
  location: string | undefined;
  text: string;
}

/** Keeps cookies, and follows redirects one by one. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get = (url: string) => this.#send(url, { headers: { 'sec-fetch-site': 'none' } });

  post = (url: string, form: { [name: string]: string }) =>
    this.#send(url, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(form),
    });

  async query(query: string): Promise<unknown> {
    const { text } = await this.#send(`${address}/graphql`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return JSON.parse(text);
  }

  async follow(seen: Seen): Promise<Seen> {
    let last = seen;
    for (let hops = 0; last.location !== undefined && hops < 10; hops += 1)
      last = await this.get(new URL(last.location, last.url).href);
    return last;
  }

  async #send(
    url: string,
    { headers, ...request }: { method?: string; headers: object; body?: string | URLSearchParams },
  ): Promise<Seen> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html, application/json', cookie, ...headers },
      ...request,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return {
      status: answer.status,
      url,
      location: answer.headers.get('location') ?? undefined,
      text: await answer.text(),
    };
  }
}
