import type { Member } from '../domain/member.ts';

/** A member, field by field (specification, "Member"). */
export function presentMember(member: Member): object {
  return {
    id: member.id,
    first_name: member.first_name,
    last_name: member.last_name,
    email_address: member.email_address,
    phone_number: member.phone_number,
    gender: member.gender,
    marital_status: member.marital_status,
    date_of_birth: member.date_of_birth,
    address: member.address,
    city: member.city,
    state: member.state,
    zip_code: member.zip_code,
    country: member.country,
    designation: member.designation,
    is_guest: member.is_guest,
    created_at: member.created_at,
    updated_at: member.updated_at,
  };
}
