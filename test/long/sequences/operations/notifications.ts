/** Notifications. The model does not predict them: it checks that each one is visible, and how it is marked. */
import type { Outcome } from '../caller.js';
import type { Model, Person } from '../model.js';
import { refusalOf, sees } from '../rules.js';
import type { Operation } from '../step.js';

interface Shown {
  workPackage: number;
  actor: number;
  read: boolean;
}

const PATH = '/api/v3/notifications';
const LIST =
  '{ viewer { notifications(first: 100) { nodes { read workPackage { databaseId } actor { databaseId } } } } }';
const MARK =
  'mutation ($read: Boolean!) { markNotificationsRead(input: { read: $read }) { changed } }';

const idIn = (href: string) => Number(href.slice(href.lastIndexOf('/') + 1));
const ofRest = (body: any): Shown[] =>
  body._embedded.elements.map(({ readIAN, _links }: any) => ({
    workPackage: idIn(_links.resource.href),
    actor: idIn(_links.actor.href),
    read: readIAN,
  }));
const ofGraph = (data: any): Shown[] =>
  data.viewer.notifications.nodes.map(({ read, workPackage, actor }: any) => ({
    workPackage: workPackage.databaseId,
    actor: actor.databaseId,
    read,
  }));

/** Those of work packages that the user does not see, and of the user's own files. */
const wrongOf = ({ containers }: Model, person: Person, all: Shown[]): Shown[] =>
  all.filter(
    ({ workPackage, actor }) =>
      actor === person.id ||
      containers.some(
        (one) => one.kind === 'WorkPackage' && one.id === workPackage && !sees(person, one),
      ),
  );

const signedIn = ({ key }: Person) => refusalOf(true, key !== undefined);

export const list: Operation = (model, person) => {
  const checked = (all: Shown[]): Outcome => ({ shown: wrongOf(model, person, all) });
  return {
    says: 'lists notifications',
    refusal: signedIn(person),
    rest: (caller) => caller.rest('GET', `${PATH}?pageSize=200`, (body) => checked(ofRest(body))),
    graphql: (caller) => caller.graphql(LIST, {}, (data) => checked(ofGraph(data))),
    shows: () => [],
  };
};

/** Then the list has none in the other state. */
const mark =
  (read: boolean): Operation =>
  (_model, person) => {
    const others = (all: Shown[]): Outcome => ({ shown: all.filter((one) => one.read !== read) });
    return {
      says: `marks all notifications as ${read ? 'read' : 'unread'}`,
      refusal: signedIn(person),
      async rest(caller) {
        const path = `${PATH}/${read ? 'read_ian' : 'unread_ian'}`;
        const marked = await caller.rest('POST', path, () => ({}));
        if (marked.refusal !== undefined) return marked;
        return caller.rest('GET', `${PATH}?pageSize=200`, (body) => others(ofRest(body)));
      },
      async graphql(caller) {
        const marked = await caller.graphql(MARK, { read }, () => ({}));
        if (marked.refusal !== undefined) return marked;
        return caller.graphql(LIST, {}, (data) => others(ofGraph(data)));
      },
      shows: () => [],
    };
  };

export const markRead = mark(true);
export const markUnread = mark(false);
