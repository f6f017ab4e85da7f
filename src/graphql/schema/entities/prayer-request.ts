import { getPrayerRequest, prayerRequest, submitPrayerRequest } from '../../../domain/entities/prayer-request.ts';
import { addGet, addType } from '../add-entity.ts';
import { addCreation } from '../mutation.ts';

addType(prayerRequest);
addGet(prayerRequest, getPrayerRequest);
addCreation(prayerRequest, {
  name: 'submitPrayerRequest',
  operation: submitPrayerRequest,
  description: 'Submits a prayer request. No notification is sent.',
});
