/** A small directory to look around in, for an empty database outside production. */
import type { Services } from '../context.js';
import { User } from '../models/user.js';
import { permissions } from '../policies/permissions.js';
import { generateKey } from '../secrets.js';
import { importDirectory } from './import-directory.js';

const people = [
  { login: 'ada', firstName: 'Ada', lastName: 'Admin', email: 'ada@example.test', admin: true },
  { login: 'mia', firstName: 'Mia', lastName: 'Member', email: 'mia@example.test' },
  { login: 'rob', firstName: 'Rob', lastName: 'Reader', email: 'rob@example.test' },
];

const demo = (keys: { [login: string]: string }) => ({
  users: people.map((person) => ({ ...person, apiKeys: [{ name: 'demo', key: keys[person.login] }] })),
  roles: [
    { name: 'Member', permissions: permissions.filter((permission) => permission !== 'view_internal_comments') },
    { name: 'Reader', permissions: permissions.filter((permission) => permission.startsWith('view_') && permission !== 'view_internal_comments') },
    { name: 'Non member', permissions: [] },
    { name: 'Anonymous', permissions: [] },
  ],
  projects: [{
    identifier: 'demo', name: 'Demo', public: false,
    memberships: [{ user: 'mia', roles: ['Member'] }, { user: 'rob', roles: ['Reader'] }],
    workPackages: [{ ref: 'demo-wp', subject: 'Order bricks', author: 'mia', activities: [{ ref: 'demo-comment', comment: 'The **red** ones, please.', author: 'mia' }] }],
    meetings: [{ ref: 'demo-meeting', title: 'Kick-off', author: 'mia' }],
    posts: [{ ref: 'demo-post', subject: 'Welcome', author: 'ada' }],
    wikiPages: [{ ref: 'demo-wiki', title: 'Home', author: 'ada' }],
  }],
});

/** @returns the API keys by login, or undefined where there are people already */
export async function loadDemo(services: Services): Promise<{ [login: string]: string } | undefined> {
  if (await User.query(services.db.write).findOne({ anonymous: false })) return undefined;
  const keys = Object.fromEntries(people.map(({ login }) => [login, generateKey()]));
  const file = Buffer.from(JSON.stringify(demo(keys)));
  await importDirectory(services, async function* () {
    yield file;
  });
  return keys;
}
