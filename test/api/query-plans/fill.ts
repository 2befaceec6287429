/**
 * Fills an empty, migrated database with many rows. SQL statements multiply them, the same on both kinds of database.
 */
import type { Knex } from 'knex';

/** The number of rows of each kind. All other numbers follow from them. */
export interface Size {
  /** One in fifty of them is public. Each has one container of every kind, ten members and one storage. */
  projects: number;
  /** At least 100. */
  users: number;
  /**
   * The first work package of each project has the same number. Some more are on other containers, prepared,
   * unclaimed or in quarantine.
   */
  attachments: number;
  /** A tenth of them is on one work package, the others are spread over the projects. */
  fileLinks: number;
}

/** The names of the rows that tests and measurements request. */
export interface Filled {
  /**
   * Ids of the projects, in order. The id of the first work package, meeting, post and wiki page of each project is
   * its position, from 1.
   */
  projects: readonly number[];
  /**
   * A work package in a public project. It has a tenth as many attachments as all projects together, a tenth of the
   * file links, and as many comments.
   */
  longWorkPackage: number;
  /** The role of every member. */
  role: number;
}

const AT = '2026-01-02T03:04:05.678Z';
const PAST = '2026-01-01T00:00:00.000Z';
const FUTURE = '2099-01-01T00:00:00.000Z';
const STORAGES = 20;
const WEBHOOKS = 50;
const VIEW = [
  'view_work_packages',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'view_file_links',
];
const MEMBER = [
  ...VIEW,
  'edit_work_packages',
  'add_work_package_comments',
  'view_internal_comments',
  'manage_file_links',
];

/** SQL of values by column; `n` counts the rows from 1. */
type Columns = { [column: string]: string };
type Insert = (table: string, count: number, columns: Columns) => Promise<void>;

const times: Columns = { created_at: `'${AT}'`, updated_at: `'${AT}'` };
const places = ['work_packages', 'meetings', 'posts', 'wiki_pages'] as const;
const titles = {
  work_packages: 'subject',
  meetings: 'title',
  posts: 'subject',
  wiki_pages: 'title',
} as const;

/** Rows with statistics; without, if the caller runs `analyze`. */
export async function fill(db: Knex, size: Size): Promise<Filled> {
  return db.transaction(async (trx) => {
    const insert: Insert = async (table, count, columns) =>
      void (await trx.raw(
        `insert into ${table} (${Object.keys(columns).join(', ')})` +
          ` with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count}) select ${Object.values(columns).join(', ')} from series`,
      ));
    const people = await fillPeople(trx, insert, size);
    await fillContainers(insert, size, people.user);
    await fillAttachments(insert, size, people.user);
    await fillStorages(insert, size, people.user);
    await fillOutbox(insert, size);
    await fillCredentials(insert, size, people.user);
    const projects = ((await trx('projects').select('id').orderBy('id')) as { id: number }[]).map(
      ({ id }) => id,
    );
    return { projects, longWorkPackage: size.projects + 1, role: people.role };
  });
}

/**
 * SQL for the id of a user by number, and for the author of the `k`-th row of the `p`-th project: one of its ten
 * members.
 */
interface Users {
  any(number: string): string;
  member(p: string, k: string): string;
}

async function fillPeople(
  trx: Knex,
  insert: Insert,
  { users, projects }: Size,
): Promise<{ user: Users; role: number }> {
  const [{ last }] = (await trx('users').max('id as last')) as [{ last: number }];
  const user: Users = {
    any: (number) => `${last + 1} + (${number}) % ${users}`,
    member: (p, k) => `${last + 1} + ((${p}) * 7 + ((${k}) % 10) * 13) % ${users}`,
  };
  await insert('users', users, {
    login: "'filled-' || n",
    first_name: "'Person'",
    last_name: "'Number ' || n",
    admin: 'false',
    anonymous: 'false',
    status: "'active'",
    ...times,
  });
  await insert('api_keys', users, {
    user_id: user.any('n'),
    name: "'filled'",
    key_hash: "'filled-' || n",
    ...times,
  });
  const [member] = (await trx('roles')
    .insert([{ name: 'Filled member', created_at: AT, updated_at: AT }])
    .returning('id')) as [{ id: number }];
  const others: { id: number }[] = await trx('roles')
    .insert(['Non member', 'Anonymous'].map((name) => ({ name, created_at: AT, updated_at: AT })))
    .returning('id');
  await trx('role_permissions').insert([
    ...MEMBER.map((permission) => ({ role_id: member.id, permission })),
    ...others.flatMap(({ id }) => VIEW.map((permission) => ({ role_id: id, permission }))),
  ]);
  await insert('projects', projects, {
    identifier: "'filled-' || n",
    name: "'Project number ' || n",
    public: 'n % 50 = 10',
    ...times,
  });
  await insert('memberships', projects * 10, {
    user_id: user.member('(n - 1) / 10 + 1', 'n'),
    project_id: '(n - 1) / 10 + 1',
    ...times,
  });
  await insert('membership_roles', projects * 10, {
    membership_id: 'n',
    role_id: String(member.id),
  });
  return { user, role: member.id };
}

async function fillContainers(
  insert: Insert,
  { projects, fileLinks }: Size,
  user: Users,
): Promise<void> {
  for (const table of places)
    await insert(table, projects, {
      project_id: 'n',
      author_id: user.member('n', 'n'),
      [titles[table]]: "'Container number ' || n",
      ...times,
    });
  await insert('work_packages', 1, {
    project_id: '10',
    author_id: user.member('10', 'n'),
    subject: "'A long story'",
    ...times,
  });
  const comment = {
    kind: "'comment'",
    comment_text: "'Comment number ' || n",
    changes: "'[]'",
    ...times,
  };
  await insert('activities', projects * 10, {
    work_package_id: '(n - 1) / 10 + 1',
    author_id: user.member('(n - 1) / 10 + 1', 'n'),
    internal: 'n % 5 = 0',
    ...comment,
  });
  await insert('activities', fileLinks / 10, {
    work_package_id: String(projects + 1),
    author_id: user.any('n'),
    internal: 'n % 5 = 0',
    ...comment,
  });
}

/** Names in another order than the ids. A factor of 10 would repeat them. */
const NAME = `'drawing-' || substr(cast(1000000000 + (n % 100000) * 7919 % 100003 as text), 2) || '.pdf'`;

async function fillAttachments(
  insert: Insert,
  { projects, attachments }: Size,
  user: Users,
): Promise<void> {
  const file = (kind: string): Columns => ({
    file_name: NAME,
    file_size: '10000 + n',
    description_text: "'Drawing ' || n",
    search_text: `${NAME} || ' drawing ' || n`,
    content_type: "'application/pdf'",
    digest_algorithm: "'sha256'",
    digest_hash: `'${'0'.repeat(54)}' || cast(1000000000 + n as text)`,
    blob_key: `'${kind.replaceAll('_', '-')}-' || n`,
    phase: "'kept'",
    status: "'scanned'",
    ...times,
  });
  const each = attachments / projects;
  const nth = `(n - 1) / ${each} + 1`;
  await insert('attachments', attachments, {
    ...file('first'),
    work_package_id: nth,
    project_id: nth,
    author_id: user.member(nth, 'n'),
  });
  await insert('attachments', attachments / 10, {
    ...file('long'),
    work_package_id: String(projects + 1),
    project_id: '10',
    author_id: user.any('n'),
  });
  for (const column of ['activity_id', 'meeting_id', 'post_id', 'wiki_page_id'])
    await insert('attachments', projects * 2, {
      ...file(column),
      [column]: '(n - 1) / 2 + 1',
      project_id: column === 'activity_id' ? '(n - 1) / 20 + 1' : '(n - 1) / 2 + 1',
      author_id: user.any('n'),
    });
  const few = attachments / 100;
  await insert('attachments', few, {
    ...file('unscanned'),
    author_id: user.any('n'),
    status: "'uploaded'",
  });
  await insert('attachments', few, {
    ...file('unclaimed'),
    author_id: user.any('n'),
    expires_at: `'${FUTURE}'`,
  });
  await insert('attachments', few, {
    ...file('prepared'),
    work_package_id: `n % ${projects} + 1`,
    project_id: `n % ${projects} + 1`,
    author_id: user.any('n'),
    staging_key: "'staged-' || n",
    status: "'prepared'",
    expires_at: `'${FUTURE}'`,
  });
  await insert('attachments', few, {
    ...file('caught'),
    work_package_id: `n % ${projects} + 1`,
    project_id: `n % ${projects} + 1`,
    author_id: user.any('n'),
    status: "'quarantined'",
  });
  await insert('attachments', few, {
    ...file('begun'),
    author_id: user.any('n'),
    phase: "'storing'",
    lease_until: `'${FUTURE}'`,
    lease_token: "'held'",
  });
}

async function fillStorages(
  insert: Insert,
  { projects, fileLinks, users }: Size,
  user: Users,
): Promise<void> {
  await insert('storages', STORAGES, {
    type: "'SelfHostedFileServer'",
    name: "'Storage ' || n",
    origin: "'https://files-' || n || '.example.test/'",
    origin_key: "'files-' || n || '.example.test'",
    authentication_method: "'TwoWayOAuth2'",
    creator_id: user.any('1'),
    ...times,
  });
  await insert('oauth_applications', STORAGES, {
    name: "'Storage ' || n",
    client_id: "'application-' || n",
    confidential: 'true',
    redirect_uris: "'[]'",
    scopes: `'["api_v3"]'`,
    owner_id: user.any('1'),
    storage_id: 'n',
    ...times,
  });
  await insert('oauth_client_credentials', STORAGES, {
    storage_id: 'n',
    client_id: "'client-' || n",
    client_secret: "'sealed'",
    ...times,
  });
  await insert('project_storages', projects, {
    project_id: 'n',
    storage_id: `n % ${STORAGES} + 1`,
    creator_id: user.member('n', 'n'),
    project_folder_mode: "'inactive'",
    ...times,
  });
  await insert('storage_tokens', users, {
    user_id: user.any('n'),
    storage_id: `n % ${STORAGES - 1} + 2`,
    credentials_id: `n % ${STORAGES - 1} + 2`,
    access_token: "'sealed'",
    ...times,
  });
  const file = (kind: string): Columns => ({
    origin_id: `'${kind}-' || n`,
    origin_name: "'picture-' || n || '.png'",
    search_text: "'picture-' || n || '.png'",
    ...times,
  });
  const spread = `n % ${projects} + 1`;
  await insert('file_links', (fileLinks / 10) * 9, {
    ...file('first'),
    work_package_id: spread,
    storage_id: `(${spread}) % ${STORAGES} + 1`,
    creator_id: user.member(spread, 'n'),
  });
  await insert('file_links', fileLinks / 10, {
    ...file('long'),
    work_package_id: String(projects + 1),
    storage_id: `10 % ${STORAGES} + 1`,
    creator_id: user.any('n'),
  });
  await insert('file_links', fileLinks / 50, {
    ...file('unclaimed'),
    storage_id: `n % ${STORAGES} + 1`,
    creator_id: user.any('n'),
    expires_at: `'${FUTURE}'`,
  });
}

/** All events were dispatched just now, and most of them delivered. A few rows wait. */
async function fillOutbox(insert: Insert, { fileLinks }: Size): Promise<void> {
  const now = `'${new Date().toISOString()}'`;
  const times = { created_at: now, updated_at: now };
  const event = {
    kind: "'attachment:created'",
    subject_type: "'Attachment'",
    subject_id: 'n',
    container_type: "'WorkPackage'",
    container_id: '1',
    project_id: '1',
    internal: 'false',
    author_id: '1',
    data: "'{}'",
    ...times,
  };
  await insert('events', fileLinks, { delivery_id: "'event-' || n", ...event, dispatched: 'true' });
  await insert('webhooks', WEBHOOKS, {
    url: "'https://hooks.example.test/' || n",
    secret: "'sealed'",
    events: `'["attachmentCreated"]'`,
    enabled: 'true',
    creator_id: '1',
    ...times,
  });
  const delivery = {
    webhook_id: `n % ${WEBHOOKS} + 1`,
    kind: "'attachment:created'",
    body: "'{}'",
    attempts: '1',
    ...times,
  };
  await insert('webhook_deliveries', fileLinks, {
    ...delivery,
    delivery_id: "'event-' || n",
    state: "case when n % 20 = 0 then 'dead' else 'delivered' end",
    due_at: `'${PAST}'`,
  });
  await insert('webhook_deliveries', WEBHOOKS * 2, {
    ...delivery,
    delivery_id: "'waiting-' || n",
    state: "'pending'",
    due_at: `'${FUTURE}'`,
  });
}

async function fillCredentials(insert: Insert, { users }: Size, user: Users): Promise<void> {
  await insert('directory_avatars', users, {
    user_id: 'n',
    url: "'https://127.0.0.1/' || n",
    attempts: '0',
    due_at: `case when n % 20 = 0 then '${FUTURE}' end`,
    ...times,
  });
  const until = { expires_at: `'${FUTURE}'`, ...times };
  await insert('sessions', users, {
    token_hash: "'session-' || n",
    user_id: user.any('n'),
    ...until,
  });
  await insert('connection_attempts', users, {
    state_hash: "'state-' || n",
    session_id: 'n',
    storage_id: '1',
    credentials_id: '1',
    code_verifier: "'sealed'",
    destination: "'/'",
    ...until,
  });
  await insert('one_time_links', users, {
    purpose: "'password'",
    user_id: user.any('n'),
    token_hash: "'link-' || n",
    ...until,
  });
  await insert('resumable_uploads', users, {
    attachment_id: 'n',
    metadata: "'filename YQ=='",
    received_bytes: '1',
    created_at: `'${AT}'`,
    updated_at: `'${new Date().toISOString()}'`,
  });
  await insert('previews', users, {
    blob_key: "'blob-' || n",
    state: "'ready'",
    objects: "'[]'",
    attempts: '1',
    ...times,
  });
  await insert('mails', users, {
    user_id: user.any('n'),
    kind: "'alert'",
    subject: "'storage:' || n",
    since: `'${AT}'`,
    due_at: `'${FUTURE}'`,
    attempts: '0',
    ...times,
  });
  await insert('audit_events', users * 10, {
    kind: "case when n % 2 = 0 then 'WEBHOOK_CREATED' else 'USER_UPDATED' end",
    actor_id: user.any('n'),
    subject_type: "case when n % 2 = 0 then 'Webhook' else 'User' end",
    subject_id: user.any('n'),
    changes: "'{}'",
    created_at: `'${FUTURE}'`,
  });
  await insert('sign_in_failures', users, { key_hash: "'failure-' || n", failures: '1', ...until });
  for (const kind of ['Grant', 'AccessToken', 'RefreshToken']) {
    await insert('oauth_artifacts', users, {
      kind: `'${kind}'`,
      key_hash: `'${kind}-' || n`,
      grant_id: "'Grant-' || n",
      client_id: "'application-1'",
      user_id: user.any('n'),
      payload: "'{}'",
      ...until,
    });
  }
}
