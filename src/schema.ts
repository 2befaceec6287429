/** The resolvers as one executable schema; its printed form is `schema.graphql`, the contract. */
import { isAbstractType, isObjectType, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { globalId } from './ids.js';
import type { Record } from './models/record.js';
import { AttachmentResolver } from './resolvers/attachment.js';
import { CommentResolver } from './resolvers/comment.js';
import { ContainerResolver } from './resolvers/container.js';
import { MeetingFields, PostFields, WikiPageFields, WorkPackageFields } from './resolvers/containers.js';
import { ActivityConnectionResolver, AttachmentConnectionResolver } from './resolvers/paging.js';
import { ProjectResolver } from './resolvers/project.js';
import { RootResolver } from './resolvers/query.js';
import { UserResolver } from './resolvers/user.js';
import { WorkPackageResolver } from './resolvers/work-package.js';

export const schema: GraphQLSchema = build();

/** The text of `schema.graphql`. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;

function build(): GraphQLSchema {
  const built = buildSchemaSync({
    validate: false,
    resolvers: [
      RootResolver, UserResolver, ProjectResolver, AttachmentResolver, ContainerResolver, WorkPackageResolver, CommentResolver,
      WorkPackageFields, MeetingFields, PostFields, WikiPageFields, AttachmentConnectionResolver, ActivityConnectionResolver,
    ],
  });
  for (const type of Object.values(built.getTypeMap())) {
    // type-graphql's own resolveType is asynchronous, which compiled documents cannot use.
    if (isAbstractType(type)) type.resolveType = (row: object) => row.constructor.name;
    if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')) {
      type.getFields()['id']!.resolve = ({ id }: Record) => globalId(type.name, id);
    }
  }
  return built;
}
