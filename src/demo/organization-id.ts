/** The id of the demo organization. It never changes, and its timestamp is in the past, so that no new id is equal to it. */
export const DEMO_ORGANIZATION_ID = 'org_01j00000000000000000000001';
