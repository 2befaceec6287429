/** Webhooks in the graph, for administrators only. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createWebhook } from '../actions/operate/webhooks/create-webhook.js';
import { deleteWebhook } from '../actions/operate/webhooks/delete-webhook.js';
import { redeliverEvent } from '../actions/operate/webhooks/redeliver-event.js';
import { rotateWebhookSecret } from '../actions/operate/webhooks/rotate-webhook-secret.js';
import { updateWebhook } from '../actions/operate/webhooks/update-webhook.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { listOf, webhooks } from '../lists/by-creation.js';
import { WebhookConnection, WebhookDeliveryConnection } from '../models/relay-connection.js';
import { DateTime } from '../models/date-time.js';
import { DeliveryState, Webhook, WebhookDelivery, WebhookEvent } from '../models/webhook.js';
import { demandAdmin } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { connection } from './connections.js';
import { PagingArgs } from './list-arguments.js';
import { ADMINS } from './schema-phrases.js';
import { idOfOne, mutation, optional } from './mutation.js';

const SECRET =
  'The secret that signs deliveries: `whsec_` and base64 text. It cannot be read again.';

@InputType({ description: 'Deliveries.' })
class WebhookDeliveryFilter {
  @Field(() => DeliveryState, { nullable: true, description: 'Only those in this state.' })
  state?: DeliveryState | null;
}

@ArgsType()
class DeliveryArgs extends PagingArgs {
  @Field(() => WebhookDeliveryFilter, { nullable: true, description: 'Only these.' })
  filter?: WebhookDeliveryFilter | null;
}

export const webhookMutations = [
  mutation('createWebhook', {
    description:
      'Creates a webhook and its secret. Deliveries follow the Standard Webhooks specification. ' +
      `Errors: ${ADMINS}; PROPERTY_CONSTRAINT_VIOLATION for invalid input.`,
    argument: 'The webhook.',
    about: 'A new webhook.',
    input: {
      url: [
        String,
        'URL to which events are posted, at most 2,000 characters. It may have a query. ' +
          'It must be https, or http on the machine of the service.',
      ],
      events: [[WebhookEvent], 'The events to post, at least one.'],
      enabled: optional(Boolean, 'Whether events are posted. Default: true.'),
    },
    payload: {
      webhook: [Webhook, 'The new webhook.'],
      secret: [String, SECRET],
    },
    run: (input, context) => createWebhook(context, input),
  }),

  mutation('updateWebhook', {
    description:
      'Changes a webhook. ' +
      `Errors: ${ADMINS}; NOT_FOUND if it is missing; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input.',
    argument: 'The changes.',
    about: 'Changes of a webhook. Omitted members stay unchanged.',
    input: {
      id: idOfOne('webhook'),
      url: optional(String, 'URL to which events are posted, as in `createWebhook`.'),
      events: optional([WebhookEvent], 'The events to post, at least one.'),
      enabled: optional(Boolean, 'Whether events are posted.'),
    },
    payload: { webhook: [Webhook, 'The changed webhook.'] },
    run: async ({ id, ...input }, context) => ({
      webhook: await updateWebhook(context, idOf('Webhook', id), input),
    }),
  }),

  mutation('rotateWebhookSecret', {
    description:
      'Replaces the secret of a webhook. The new secret signs all deliveries from now on, ' +
      `also pending ones. Errors: ${ADMINS}; NOT_FOUND if the webhook is missing.`,
    argument: 'The webhook.',
    about: 'The webhook that gets a new secret.',
    input: { id: idOfOne('webhook') },
    payload: {
      webhook: [Webhook, 'The webhook.'],
      secret: [String, SECRET],
    },
    run: ({ id }, context) => rotateWebhookSecret(context, idOf('Webhook', id)),
  }),

  mutation('deleteWebhook', {
    description:
      'Deletes a webhook and its deliveries. ' + `Errors: ${ADMINS}; NOT_FOUND if it is missing.`,
    argument: 'The webhook.',
    about: 'The webhook to delete.',
    input: { id: idOfOne('webhook') },
    payload: { deletedWebhookId: [ID, 'Global id of the deleted webhook.'] },
    run: async ({ id }, context) => {
      const deletedId = await deleteWebhook(context, idOf('Webhook', id));
      return { deletedWebhookId: globalId('Webhook', deletedId) };
    },
  }),

  mutation('redeliverEvent', {
    description:
      'Delivers an event again, with new attempts. It works in every state of the delivery. ' +
      `Errors: ${ADMINS}; NOT_FOUND if the delivery is missing.`,
    argument: 'The delivery.',
    about: 'The delivery to repeat.',
    input: { id: idOfOne('delivery') },
    payload: { delivery: [WebhookDelivery, 'The delivery, whose state is `PENDING` again.'] },
    run: async ({ id }, context) => ({
      delivery: await redeliverEvent(context, idOf('WebhookDelivery', id)),
    }),
  }),
];

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => WebhookConnection, {
    description: `Returns all webhooks, oldest first. Error: ${ADMINS}.`,
  })
  webhooks(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: Context) {
    demandAdmin(context);
    return connection(context, args, webhooks);
  }

  @Query(() => Webhook, {
    nullable: true,
    description:
      'Returns one webhook. Only administrators can see it. ' +
      'Null with the error NOT_FOUND if it is missing, and for all other users.',
  })
  webhook(
    @Arg('id', () => ID, { description: 'Global id or integer id of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Webhook> {
    return found(find.webhook(context, idOf('Webhook', id)));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'The deliveries to the webhook, newest first. ' +
      'Delivered ones are stored for 7 days, dead ones for 30 days.',
  })
  deliveries(
    @Root() { id }: Webhook,
    @Args(() => DeliveryArgs) { filter, ...args }: DeliveryArgs,
    @Ctx() context: Context,
  ) {
    const state = filter?.state;
    const rows = () =>
      WebhookDelivery.query(context.db.read).where({ webhook_id: id, ...(state && { state }) });
    return connection(context, args, listOf(rows, 'desc'));
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When the next attempt is due. Null unless the state is `PENDING`.',
  })
  nextAttemptAt(@Root() { state, dueAt }: WebhookDelivery): string | null {
    return state === DeliveryState.PENDING ? dueAt : null;
  }
}
