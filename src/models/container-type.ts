/** The kinds of containers, as an enum of the graph. */
import { registerEnumType } from 'type-graphql';
import { containerKinds, containerTypes, type ContainerType } from '../contract/container-kinds.js';
import { constantCase, withArticle } from '../contract/words.js';

export const ContainerTypes: { readonly [name: string]: ContainerType } = Object.fromEntries(
  containerTypes.map((type) => [constantCase(type), type]),
);
registerEnumType(ContainerTypes, {
  name: 'ContainerType',
  description: 'The kinds of containers of attachments.',
  valuesConfig: Object.fromEntries(
    Object.entries(ContainerTypes).map(([name, type]) => [
      name,
      { description: `Files of ${withArticle(containerKinds[type].noun)}.` },
    ]),
  ),
});
