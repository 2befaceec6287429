/** A generic HAL client (Ketting). It knows only the addresses where it starts, and follows every link. */
import { Client, type Link, type State } from 'ketting';
import type { App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';

export interface Step {
  rel: string;
  /** Path and query at the service. */
  path: string;
  answer: Told;
}

/** The message, if the request was refused. */
export interface Told {
  status: number;
  message?: string;
}

export interface Action {
  rel: string;
  method: string;
  path: string;
}

export interface Walk {
  /** Answers to the start addresses, by path. */
  started: Map<string, Told>;
  /** Answers to the links with GET. Redirects are not followed. */
  steps: Step[];
  /** Links with another method, each once. */
  actions: Action[];
  /** Links to other services. */
  elsewhere: { rel: string; href: string }[];
  /** Links that are URNs. */
  names: { rel: string; href: string }[];
  /** Links whose href is null. */
  absent: string[];
}

/** The values of the variables in templates. */
const VARIABLES = { offset: '2', size: '5' };
/**
 * The service percent-encodes the braces of its templates. Clients decode them before they expand the template (RFC
 * 6570).
 */
const template = (link: Link): Link => ({
  ...link,
  href: link.href.replaceAll(/%7B(\w+)%7D/gi, '{$1}'),
});

export async function walk(app: App, starts: readonly string[], as?: Person): Promise<Walk> {
  const { client, answers } = clientOf(app, as);
  const found: Walk = {
    started: new Map(),
    steps: [],
    actions: [],
    elsewhere: [],
    names: [],
    absent: [],
  };
  const known = new Set<string>();
  const states: State[] = [];
  const visit = async (url: string): Promise<Told> => {
    known.add(url);
    const state = await client
      .go(url)
      .refresh()
      .catch((error: { status?: number }) => {
        if (error.status === undefined) throw error;
      });
    if (state) states.push(...withEmbedded(state));
    return answers.get(url)!;
  };
  for (const path of starts) found.started.set(path, await visit(app.url + path));
  for (let state = states.pop(); state; state = states.pop()) {
    for (const link of state.links.getAll()) {
      if (link.href === null) {
        found.absent.push(link.rel);
        continue;
      }
      const url = await addressOf(state, link);
      const step = { rel: link.rel, path: url.slice(app.url.length) };
      const { method = 'get' } = link as { method?: string };
      const key = method === 'get' ? url : `${method} ${link.rel} ${url}`;
      if (known.has(key)) continue;
      known.add(key);
      if (url.startsWith('urn:')) found.names.push({ rel: link.rel, href: url });
      else if (!url.startsWith(`${app.url}/`)) found.elsewhere.push({ rel: link.rel, href: url });
      else if (method === 'get') found.steps.push({ ...step, answer: await visit(url) });
      else found.actions.push({ ...step, method: method.toUpperCase() });
    }
  }
  return found;
}

function clientOf(
  app: App,
  as: Person | undefined,
): { client: Client; answers: Map<string, Told> } {
  const client = new Client(`${app.url}/api/v3`);
  const answers = new Map<string, Told>();
  client.use(async (request, next) => {
    if (as) request.headers.set('authorization', `Bearer ${as.key}`);
    const response = await next(new Request(request, { redirect: 'manual' }));
    answers.set(request.url, {
      status: response.status,
      ...(response.status >= 400 && {
        message: ((await response.clone().json()) as { message: string }).message,
      }),
    });
    // Ketting treats a redirect that is not followed as a failure.
    return response.status >= 300 && response.status < 400
      ? new Response(null, { status: 204 })
      : response;
  });
  return { client, answers };
}

const withEmbedded = (state: State): State[] => [
  state,
  ...state.getEmbedded().flatMap(withEmbedded),
];

async function addressOf(state: State, link: Link): Promise<string> {
  if (!link.templated || 'method' in link) return new URL(link.href, link.context).href;
  state.links.set(template(link));
  return (await state.follow(link.rel, VARIABLES)).uri;
}
