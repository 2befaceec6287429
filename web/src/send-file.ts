/** Sends a file with a GraphQL document: a multipart request. The client sends JSON only. */
import { MoorageError, type Document } from 'moorage-client';
import { shownPerson } from './service';
import { sessionEnded } from './shell/session-over';
import { say } from './words';

interface Answer<Result> {
  data?: Result;
  errors?: { message: string; extensions?: ErrorMembers }[];
}
interface ErrorMembers {
  code?: MoorageError['code'];
  status?: number;
  attribute?: string;
}

/**
 * @param document with the variable `$file`
 * @throws MoorageError
 */
export async function sendFile<Result, Variables extends { file: null }>(
  document: Document<Result, Variables>,
  variables: NoInfer<Variables>,
  file: File,
): Promise<Result> {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: String(document), variables }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', file);
  const response = await fetch('/graphql', {
    method: 'POST',
    // Only scripts of this origin can send such a header.
    headers: {
      'apollo-require-preflight': 'true',
      'x-requested-with': 'XMLHttpRequest',
      'x-signed-in-as': String(shownPerson() ?? ''),
    },
    body: form,
  }).catch(() => undefined);
  if (!response) throw new MoorageError('UNREACHABLE', say('wrong.network'), { status: 0 });
  if (response.status === 401) sessionEnded();
  const { data, errors } = (await response.json().catch(() => ({}))) as Answer<Result>;
  const [error] = errors ?? [];
  if (!error && response.ok && data) return data;
  const { code = 'OTHER', status = response.status, attribute } = error?.extensions ?? {};
  throw new MoorageError(code as MoorageError['code'], error?.message ?? say('wrong.other'), {
    status,
    ...(attribute && { attribute }),
  });
}
