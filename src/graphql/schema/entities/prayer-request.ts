import {
  getPrayerRequest,
  listPrayerRequests,
  prayerRequest,
  submitPrayerRequest,
} from '../../../domain/entities/prayer-request.ts';
import { addGet, addList, addType } from '../add-entity.ts';
import { addCreation } from '../mutation.ts';

addType(prayerRequest);
addList(prayerRequest, listPrayerRequests);
addGet(prayerRequest, getPrayerRequest);
addCreation(prayerRequest, {
  name: 'submitPrayerRequest',
  operation: submitPrayerRequest,
  description: 'Submits a prayer request. No notification is sent.',
});
