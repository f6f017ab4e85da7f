import type { MemberTags } from '../domain/member-tags.ts';
import type { Tag } from '../domain/tag.ts';

/** A tag, field by field (specification, "Tag"). */
export function presentTag(tag: Tag): object {
  return {
    id: tag.id,
    name: tag.name,
    slug: tag.slug,
    description: tag.description,
    category: tag.category,
    color: tag.color,
  };
}

/** A member's assignable tags after a change; REST does not say which ids were ignored. */
export function presentMemberTags({ tags }: MemberTags): object {
  return tags.map(presentTag);
}
