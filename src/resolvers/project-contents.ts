/** The containers of a project in the graph: its meetings, forum posts and wiki pages. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Context } from '../context.js';
import {
  containerKinds,
  plainContainers,
  type PlainContainer,
} from '../contract/container-kinds.js';
import { fieldWeights } from '../contract/field-weights.js';
import { containerList, containerOrders, type ContainerOrder } from '../lists/containers.js';
import { Project } from '../models/project.js';
import { containerConnections } from '../models/relay-connection.js';
import { can } from '../policies/can.js';
import { searchedConnection } from './connections.js';
import { describedOrders, PagedArgs, orderOf, ordersOf } from './list-arguments.js';

const Orders = ordersOf(containerOrders);
registerEnumType(Orders, {
  name: 'ContainerOrder',
  description:
    'Order of meetings, forum posts or wiki pages. `title` is the title or the subject, sorted by ' +
    'code point. Lists of more than 10,000 rows can be sorted by `id` only.',
  valuesConfig: describedOrders(Orders),
});

@ArgsType()
export class ContainerArgs extends PagedArgs {
  @Field(() => Orders, {
    defaultValue: Orders['ID_ASC'],
    description: 'Order of the list. The id is the second order.',
  })
  orderBy!: string;
}

function contentsOf(type: PlainContainer) {
  const { importList, plural } = containerKinds[type];

  @Resolver(() => Project)
  class ContentsResolver {
    @FieldResolver(() => containerConnections[type], {
      complexity: fieldWeights.searched,
      description:
        `The ${plural} of the project. Empty unless the caller may view them there. ` +
        'Error: INVALID_QUERY.',
    })
    // TypeGraphQL tells the methods of one type apart by their names.
    async [importList](
      @Root() { id: projectId }: Project,
      @Args(() => ContainerArgs) args: ContainerArgs,
      @Ctx() context: Context,
    ) {
      const order = orderOf<ContainerOrder['by']>(args.orderBy);
      return searchedConnection(context, args, async () =>
        containerList(
          context,
          { type, projectId, isVisible: await can.viewContainers(context, type, projectId) },
          order,
        ),
      );
    }

    @FieldResolver(() => Boolean, {
      name: `viewerCanView${importList[0]!.toUpperCase()}${importList.slice(1)}`,
      description: `Whether the caller may view the ${plural} of the project.`,
    })
    mayView(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
      return can.viewContainers(context, type, id);
    }
  }
  return ContentsResolver;
}

export const projectContentResolvers = plainContainers.map(contentsOf);
