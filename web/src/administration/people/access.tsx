/** What acts in the name of a person: sessions, API keys, applications and connections. Each can be ended. */
import { useQuery } from '@tanstack/react-query';
import { MoorageError } from 'moorage-client';
import { moorage } from '../../service';
import { Failure, Loading, reasonOf } from '../../shell/failure';
import { tell } from '../../shell/messages';
import { Time } from '../../shell/time';
import { say, type WordKey } from '../../words';
import {
  EndApiKeyOfPersonDocument,
  EndAuthorizationOfPersonDocument,
  EndConnectionOfPersonDocument,
  EndSessionOfPersonDocument,
  EndSessionsOfPersonDocument,
  PersonAccessDocument,
  type PersonAccessQuery,
} from '../generated/documents';

interface Access {
  id: string;
  name: string;
  about?: string | undefined;
  lastUsedAt?: string | null;
  createdAt: string;
  end: () => Promise<unknown>;
}

/** What is gone already is ended. */
async function ended(run: Promise<unknown>): Promise<void> {
  await run.catch((error: unknown) => {
    if (!(error instanceof MoorageError) || error.status !== 404) throw error;
  });
}

const groupsOf = (user: PersonAccessQuery['user']): { label: WordKey; rows: Access[] }[] => [
  {
    label: 'access.sessions',
    rows: (user?.sessions.nodes ?? []).map((session) => ({
      ...session,
      name: [session.browser, session.system].filter(Boolean).join(', ') || say('access.unknown'),
      about: session.network ?? undefined,
      end: () => moorage.mutate(EndSessionOfPersonDocument, { input: { id: session.id } }),
    })),
  },
  {
    label: 'access.keys',
    rows: (user?.apiKeys ?? []).map((key) => ({
      ...key,
      end: () => moorage.mutate(EndApiKeyOfPersonDocument, { input: { id: key.id } }),
    })),
  },
  {
    label: 'access.applications',
    rows: (user?.authorizations.nodes ?? []).map((one) => ({
      ...one,
      name: one.applicationName,
      end: () => moorage.mutate(EndAuthorizationOfPersonDocument, { input: { id: one.id } }),
    })),
  },
  {
    label: 'access.connections',
    rows: (user?.connections.nodes ?? []).map((one) => ({
      ...one,
      name: one.storage?.name ?? say('account.hiddenStorage'),
      about: one.originUserId ?? undefined,
      end: () => moorage.mutate(EndConnectionOfPersonDocument, { input: { id: one.id } }),
    })),
  },
];

const read = async (id: string, signal?: AbortSignal) =>
  (await moorage.query(PersonAccessDocument, { id }, signal && { signal })).user;

/**
 * Ends everything, also what lies beyond the first page of a list.
 * @returns how much there was
 */
export async function endAccess(id: string): Promise<number> {
  let count = 0;
  for (;;) {
    const groups = groupsOf(await read(id));
    const [sessions, ...others] = groups.map(({ rows }) => rows);
    const rows = others.flat();
    count += rows.length + (sessions?.length ?? 0);
    if (sessions?.length)
      await moorage.mutate(EndSessionsOfPersonDocument, { input: { userId: id } });
    if (rows.length === 0) return count;
    for (const row of rows) await ended(row.end());
  }
}

export function Access({ id, refresh }: { id: string; refresh: () => Promise<void> }) {
  const query = useQuery({
    queryKey: ['administration', 'person', id, 'access'],
    queryFn: ({ signal }) => read(id, signal),
  });
  async function end(row: Access): Promise<void> {
    try {
      await ended(row.end());
      tell(say('access.endedOne', { name: row.name }));
      await refresh();
    } catch (error) {
      tell(reasonOf(error));
    }
  }
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failure error={query.error} again={() => void query.refetch()} />;
  const groups = groupsOf(query.data).filter(({ rows }) => rows.length > 0);
  return (
    <section className="panel" aria-labelledby="access">
      <h2 id="access">{say('access.title')}</h2>
      {groups.length === 0 && <p className="soft">{say('access.none')}</p>}
      {groups.map(({ label, rows }) => (
        <div key={label}>
          <h3>
            {say(label)} <span className="count">{rows.length}</span>
          </h3>
          <ul className="access">
            {rows.map((row) => (
              <li key={row.id}>
                <div>
                  <bdi>{row.name}</bdi>
                  <p className="small soft">
                    {row.about && (
                      <>
                        <bdi>{row.about}</bdi>
                        {', '}
                      </>
                    )}
                    {row.lastUsedAt ? (
                      <>
                        {say('access.lastUsed')} <Time of={row.lastUsedAt} />
                      </>
                    ) : (
                      <>
                        {say('access.since')} <Time of={row.createdAt} />
                      </>
                    )}
                  </p>
                </div>
                <button type="button" className="button quiet" onClick={() => void end(row)}>
                  {say('access.end')}
                  <span className="unseen">: {row.name}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
