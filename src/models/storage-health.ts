/** Results of the checks of a storage. */
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';

export enum CheckStatus {
  OK = 'ok',
  FAILED = 'failed',
  SKIPPED = 'skipped',
}
registerEnumType(CheckStatus, {
  name: 'StorageCheckStatus',
  description: 'Outcome of a check.',
  valuesConfig: {
    OK: { description: 'The check found no problem.' },
    FAILED: { description: 'The check found a problem.' },
    SKIPPED: {
      description: 'There was nothing to check, or a required earlier check did not succeed.',
    },
  },
});

@ObjectType({ description: 'One check of a storage.', simpleResolvers: true })
export class StorageCheck {
  @Field(() => String, {
    description: 'Stable name of the check, e.g. `host`, `companion_app`, `client_secret`.',
  })
  check!: string;

  @Field(() => String, {
    description:
      'Stable code of the result. It is the name of the check if that succeeded or was skipped. ' +
      'After a failure it begins with the name, e.g. `companion_app_missing`.',
  })
  code!: string;

  @Field(() => CheckStatus, { description: 'The outcome.' })
  status!: CheckStatus;

  @Field(() => String, { description: 'The result and what to do, for people.' })
  hint!: string;
}

@ObjectType({
  description: 'Results of checks that ran against the storage now.',
  simpleResolvers: true,
})
export class StorageHealth {
  @Field(() => [StorageCheck], {
    description: 'The checks in order. Later checks depend on earlier ones.',
  })
  checks!: StorageCheck[];

  @Field(() => DateTime, { description: 'When the checks ended.' })
  checkedAt!: string;
}
