/** Sends the operations of the explorer to this service. */
import type { GraphiQL } from 'graphiql';
import { getOperationAST, parse, type OperationDefinitionNode } from 'graphql';
import { createClient } from 'graphql-sse';
import type { ComponentProps } from 'react';
import { pickFile } from './pick-file.js';

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher'];
type Headers = { [name: string]: string };
type Request = Parameters<Fetcher>[0];

/**
 * The first header shows that the request comes from our own page (`src/auth/own-page.ts`). With
 * the second one the browser opens no dialog for a password.
 */
const OWN_PAGE: Headers = {
  'X-Requested-With': 'XMLHttpRequest',
  'X-Authentication-Scheme': 'Session',
};

/** Queries and mutations go to `/graphql`, subscriptions to `/graphql/stream`. */
export const ask: Fetcher = (given, { headers = {} } = {}) => {
  const operation = operationOf(given);
  const request = { ...given, operationName: operation?.name?.value ?? given.operationName };
  const all = { ...OWN_PAGE, ...headers };
  if (operation?.operation === 'subscription') return subscribe(request, all);
  const files = fileVariables(operation);
  return files.length > 0
    ? upload(request, files, all)
    : send(JSON.stringify(request), {
        'Content-Type': 'application/json',
        ...all,
      });
};

/**
 * The operation to run. GraphiQL notices a new text only after a moment, so the name may be that
 * of an operation that is not there any more. Then a single operation is meant.
 * @returns nothing for a document with a mistake, which the service explains
 */
function operationOf({ query, operationName }: Request): OperationDefinitionNode | undefined {
  try {
    const document = parse(query);
    return getOperationAST(document, operationName) ?? getOperationAST(document) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The names of the variables of the type `Upload`. */
const fileVariables = (operation: OperationDefinitionNode | undefined): string[] =>
  (operation?.variableDefinitions ?? []).flatMap(({ variable, type }) => {
    const named = type.kind === 'NonNullType' ? type.type : type;
    return named.kind === 'NamedType' && named.name.value === 'Upload' ? [variable.name.value] : [];
  });

/** Asks the person for a file for each variable, and sends a GraphQL multipart request. */
async function upload(request: Request, names: string[], headers: Headers) {
  const form = new FormData();
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  form.set(
    'operations',
    JSON.stringify({ ...request, variables: { ...request.variables, ...empty } }),
  );
  form.set(
    'map',
    JSON.stringify(Object.fromEntries(names.map((name) => [name, [`variables.${name}`]]))),
  );
  for (const name of names) form.set(name, await pickFile(name));
  return send(form, { 'Apollo-Require-Preflight': '1', ...headers });
}

async function send(body: BodyInit, headers: Headers) {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { Accept: 'application/json', ...headers },
    body,
  });
  return jsonOf(answer);
}

async function jsonOf(answer: Response) {
  try {
    return (await answer.json()) as object;
  } catch {
    throw new Error(`The service answered ${answer.status} without JSON. Try again.`);
  }
}

/** GraphiQL shows each result, and ends the subscription with the button that began it. */
function subscribe(request: Request, headers: Headers): ReturnType<Fetcher> {
  const client = createClient({ url: '/graphql/stream', headers, retryAttempts: 0 });
  const observable = {
    subscribe: (sink: {
      next: (result: object) => void;
      error: (error: unknown) => void;
      complete: () => void;
    }) => ({
      unsubscribe: client.subscribe(
        { ...request, operationName: request.operationName ?? undefined },
        {
          next: (result) => sink.next(result),
          complete: () => sink.complete(),
          error: (error) => void reasonOf(error).then(sink.error),
        },
      ),
    }),
  };
  // Cast: the type has a second form of `subscribe` that GraphiQL does not use.
  return observable as ReturnType<Fetcher>;
}

/** The errors with which the service refused a subscription, or the failure itself. */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { response } = failure as { response?: Response };
  if (!response) return failure;
  try {
    const answer: { errors?: unknown } = await jsonOf(response);
    return answer.errors ?? answer;
  } catch (unreadable) {
    return unreadable;
  }
}
