import { designation, listDesignations } from '../../domain/designation.ts';
import { addList, addType } from './add-entity.ts';

addType(designation);
addList(designation, listDesignations);
