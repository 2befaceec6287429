/**
 * The requests of the file server's companion app, release 3.1.1, and what it needs in each answer. It is a client, so
 * it imports nothing of the service.
 */
import { setTimeout as sleep } from 'node:timers/promises';

type Json = any;

export class CompanionApp {
  constructor(
    readonly address: string,
    readonly token: string,
  ) {}

  /** The search dialog. It shows nothing if one element lacks something. */
  async search(words: string, options: { fileId?: string; linkableTo?: string } = {}) {
    const filters = [
      { typeahead: { operator: '**', values: [words] } },
      ...(options.fileId
        ? [{ file_link_origin_id: { operator: '=', values: [options.fileId] } }]
        : []),
      ...(options.linkableTo
        ? [
            {
              linkable_to_storage_url: {
                operator: '=',
                values: [encodeURIComponent(options.linkableTo)],
              },
            },
          ]
        : []),
    ];
    return this.#workPackages(filters);
  }

  /** The work packages that the tab of a file shows. */
  linkedTo = (fileId: string) =>
    this.#workPackages([{ file_link_origin_id: { operator: '=', values: [fileId] } }]);

  /** The preview of a link. */
  preview = (id: number) => this.#workPackages([{ id: { operator: '=', values: [String(id)] } }]);

  async #workPackages(filters: object[]): Promise<Json[]> {
    const query = { filters: JSON.stringify(filters), sortBy: '[["updatedAt","desc"]]' };
    const { _embedded } = await this.#ask('GET', `/work_packages?${new URLSearchParams(query)}`);
    for (const element of _embedded.elements) demandWorkPackage(element);
    return _embedded.elements;
  }

  /** Links files of the server to the picked work package. The answer has a link for each file, in order. */
  async link(
    workPackageId: number,
    storageUrl: string,
    files: readonly { id: number; name: string; mimeType: string }[],
  ): Promise<Json[]> {
    const elements = files.map((file) => ({
      originData: {
        ...file,
        createdAt: '1970-01-01T00:00:00.000Z',
        lastModifiedAt: '2026-11-20T16:29:25.000Z',
        createdByName: '',
        lastModifiedByName: '',
      },
      _links: { storageUrl: { href: storageUrl } },
    }));
    const body = { _type: 'Collection', _embedded: { elements } };
    const made = await this.#ask('POST', `/work_packages/${workPackageId}/file_links`, body);
    if (made._type === 'Error') return made;
    demand(made._type === 'Collection', 'it is a list');
    demand(made._embedded.elements.length === files.length, 'each file has a link');
    for (const { id } of made._embedded.elements)
      demand(typeof id === 'number', 'a link has a number');
    return made._embedded.elements;
  }

  /** Unlinks a file: it looks for its link in the first page of all links. */
  async unlink(workPackageId: number, fileId: number): Promise<number> {
    const list = await this.#ask('GET', `/work_packages/${workPackageId}/file_links`);
    demand(list._type === 'Collection', 'it is a list');
    const link = list._embedded.elements.find(
      ({ originData }: Json) => Number(originData.id) === fileId,
    );
    demand(link !== undefined, 'the file has a link');
    const { status } = await fetch(`${this.address}/api/v3/file_links/${link.id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
    });
    return status;
  }

  /** The person whose token it is. */
  async me(): Promise<Json> {
    const me = await this.#ask('GET', '/users/me');
    demand(typeof me.id === 'number' && isText(me.firstName) && isText(me.lastName), 'a person');
    return me;
  }

  /** The picture of a person: undefined for initials. Its type must be that of its bytes. */
  async avatar(userId: number): Promise<Buffer | undefined> {
    const answer = await fetch(`${this.address}/api/v3/users/${userId}/avatar`, {
      headers: { Authorization: `Bearer ${this.token}` },
    });
    if (!answer.ok) return undefined;
    const bytes = Buffer.from(await answer.arrayBuffer());
    const sniffed = [
      { type: 'image/png', start: '89504e470d0a1a0a' },
      { type: 'image/jpeg', start: 'ffd8ff' },
    ].find(({ start }) => bytes.toString('hex').startsWith(start));
    demand(sniffed?.type === answer.headers.get('content-type'), 'a picture has its type');
    return bytes;
  }

  async color(href: string): Promise<string | null> {
    const { id, color } = await this.#ask('GET', href.replace('/api/v3', ''));
    demand(typeof id === 'number', 'a status or type has an id');
    return color ?? null;
  }

  /** One element has two filters. */
  async projects(storageUrl: string, words?: string): Promise<Json[]> {
    const filters = [
      ...(words ? [{ typeahead: { operator: '**', values: [words] } }] : []),
      {
        storageUrl: { operator: '=', values: [storageUrl] },
        userAction: { operator: '&=', values: ['file_links/manage', 'work_packages/create'] },
      },
    ];
    const query = new URLSearchParams({ pageSize: '100', filters: JSON.stringify(filters) });
    const { _embedded } = await this.#ask('GET', `/work_packages/available_projects?${query}`);
    for (const { id, identifier, name, _links } of _embedded.elements) {
      demand(typeof id === 'number' && isText(identifier) && isText(name), 'a project has names');
      demand(isText(_links.self.href) && 'href' in _links.parent, 'a project has links');
    }
    return _embedded.elements;
  }

  async form(projectId: number, links: object = {}): Promise<Json> {
    const empty = { href: null, title: null };
    const form = await this.#ask('POST', `/projects/${projectId}/work_packages/form`, {
      subject: '',
      _links: {
        type: empty,
        status: empty,
        assignee: empty,
        project: { href: `/api/v3/projects/${projectId}` },
        ...links,
      },
    });
    demand(form._type === 'Form', 'it is a form');
    const { payload, schema, validationErrors } = form._embedded;
    for (const name of ['type', 'status'])
      for (const { _links } of schema[name]._embedded.allowedValues)
        demand(isText(_links.self.href) && isText(_links.self.title), 'allowed values have links');
    demand(typeof payload.subject === 'string', 'a form has a subject');
    for (const part of ['format', 'raw', 'html'])
      demand(typeof payload.description[part] === 'string', 'a form has a description');
    demand(!Array.isArray(validationErrors), 'errors have names');
    return form;
  }

  async assignees(projectId: number): Promise<Json[]> {
    const list = await this.#ask('GET', `/projects/${projectId}/available_assignees`);
    demand(list._type === 'Collection', 'it is a list');
    for (const { _links } of list._embedded.elements)
      demand(isText(_links.self.href) && isText(_links.self.title), 'people have links');
    return list._embedded.elements.map((one: Json) => one._links.self);
  }

  async create(body: object): Promise<Json> {
    const made = await this.#ask('POST', '/work_packages', body);
    if (made._type === 'Error') return made;
    demand(made._type === 'WorkPackage' && typeof made.id === 'number', 'it is a work package');
    demand('_embedded' in made, 'it has embedded documents');
    return made;
  }

  /** The dashboard. It is asked again every few minutes. */
  async unread(): Promise<Json[]> {
    const filters = JSON.stringify([{ readIAN: { operator: '=', values: ['f'] } }]);
    const query = new URLSearchParams({ pageSize: '-1', filters });
    const { _embedded } = await this.#ask('GET', `/notifications?${query}`);
    for (const { reason, createdAt, _links } of _embedded.elements) {
      demand(isText(reason) && isText(createdAt), 'a notification has a reason and a time');
      demand(isText(_links.project.title), 'a notification has a project');
      for (const name of ['resource', 'actor'])
        demand(isText(_links[name].href) && isText(_links[name].title), `it has a ${name}`);
    }
    return _embedded.elements;
  }

  /** The dashboard marks all notifications of one work package. The body is empty. */
  async markRead(workPackageId: number): Promise<number> {
    const filters = JSON.stringify([
      { resourceId: { operator: '=', values: [String(workPackageId)] } },
    ]);
    const query = new URLSearchParams({ filters });
    const { status } = await fetch(`${this.address}/api/v3/notifications/read_ian?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
    });
    return status;
  }

  async #ask(method: string, path: string, body?: object): Promise<Json> {
    const answer = await fetch(`${this.address}/api/v3${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status === 503) {
      await sleep(100);
      return this.#ask(method, path, body);
    }
    return answer.json();
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The app shows "missing data": ${what}.`);
}

function demandWorkPackage({ id, subject, _links }: Json): void {
  demand(typeof id === 'number' && isText(subject), 'a work package has a number and a subject');
  for (const name of ['project', 'status', 'type'])
    demand(isText(_links[name]?.title), `a work package has a ${name}`);
  for (const name of ['status', 'type'])
    demand(typeof _links[name].href === 'string', `a ${name} has an address`);
  demand(typeof _links.assignee === 'object' && _links.assignee !== null, 'an assignee is there');
}
