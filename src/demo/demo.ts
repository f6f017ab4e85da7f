import { lockCounter } from '../domain/core/counter.ts';
import { retryLostRaces } from '../domain/core/retry.ts';
import { isRowConflict } from '../store/errors.ts';
import type { Prisma } from '../store/generated/client.ts';
import type { Store } from '../store/store.ts';
import { hoursAfterStart } from './calendar.ts';
import { ensureDemoKey } from './demo-organization-key.ts';
import { DEMO_ORGANIZATION_ID } from './ids.ts';
import { demoDepartmentMembers, demoDepartments } from './records/departments.ts';
import { demoDesignations } from './records/designations.ts';
import { demoEvents } from './records/events.ts';
import { demoFormResponses } from './records/form-responses.ts';
import { demoFormFields, demoForms } from './records/form-rows.ts';
import { demoMembers, MEMBER_COUNT } from './records/members.ts';
import { createPersons } from './records/persons.ts';
import { demoPrayerRequests } from './records/prayer-requests.ts';
import { demoServices } from './records/services.ts';
import { demoMemberTags, demoTags } from './records/tags.ts';
import { removeRecords } from './reset.ts';

/** The demo organization after it was created or reset. */
export interface Demo {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The number of records of each resource. */
  readonly counts: Record<string, number>;
  /** A key of the organization with every scope and no expiry. */
  readonly key: string;
}

const ORGANIZATION = { name: 'Cedar Grove Community Church (demo)', country: 'US', createdAt: hoursAfterStart(0) };

/**
 * Creates or resets the demo organization.
 *
 * All records are replaced in one transaction, so concurrent readers see the old ones until it is committed. Records
 * that callers created are removed; API keys and records of other organizations are kept. Records get the same ids each
 * time (members: see {@link createPersons}).
 *
 * @param dataDirectory the directory of the key file, see {@link ensureDemoKey}.
 * @param by the operator, for the history of the key and the audit log.
 */
export async function seedDemo(store: Store, dataDirectory: string, by: string): Promise<Demo> {
  // Concurrent requests may add records that reference removed ones, which makes the transaction fail.
  const counts = await retryLostRaces(
    () => store.prisma.$transaction((tx) => recreate(tx, by), { timeout: 60_000, maxWait: 60_000 }),
    { isRace: isRowConflict },
  );
  const key = await ensureDemoKey(store, dataDirectory, by);
  return { organizationId: DEMO_ORGANIZATION_ID, organizationName: ORGANIZATION.name, counts, key };
}

async function recreate(tx: Prisma.TransactionClient, by: string): Promise<Record<string, number>> {
  // Makes concurrent writes to the organization, such as another reset, wait until this transaction ends.
  await tx.$queryRaw(lockCounter(DEMO_ORGANIZATION_ID));
  await tx.organization.upsert({
    where: { id: DEMO_ORGANIZATION_ID },
    create: { id: DEMO_ORGANIZATION_ID, ...ORGANIZATION },
    update: ORGANIZATION,
  });
  await tx.auditEntry.create({
    data: { organizationId: DEMO_ORGANIZATION_ID, actor: by, channel: 'cli', operation: 'makeDemo', result: 'ok' },
  });
  await removeRecords(tx);
  const identities = await createPersons(tx, MEMBER_COUNT);
  return {
    designations: (await tx.designation.createMany({ data: demoDesignations() })).count,
    members: (await tx.member.createMany({ data: demoMembers(identities) })).count,
    tags: (await tx.tag.createMany({ data: demoTags(identities) })).count,
    member_tags: (await tx.memberTag.createMany({ data: demoMemberTags(identities) })).count,
    departments: (await tx.department.createMany({ data: demoDepartments(identities) })).count,
    department_members: (await tx.departmentMember.createMany({ data: demoDepartmentMembers(identities) })).count,
    forms: (await tx.form.createMany({ data: demoForms() })).count,
    form_fields: (await tx.formField.createMany({ data: demoFormFields() })).count,
    form_responses: (await tx.formResponse.createMany({ data: demoFormResponses() })).count,
    events: (await tx.event.createMany({ data: demoEvents() })).count,
    services: (await tx.service.createMany({ data: demoServices() })).count,
    prayer_requests: (await tx.prayerRequest.createMany({ data: demoPrayerRequests() })).count,
  };
}
