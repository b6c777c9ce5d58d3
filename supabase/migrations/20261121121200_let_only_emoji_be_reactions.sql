-- A reaction is one emoji. Only ASCII was refused, so a word in Cyrillic or Chinese passed, and keycaps, which hold an
-- ASCII digit, did not.

-- Pictures stand in the blocks below; letters of no script do. What may follow a picture: the selector that asks for its
-- coloured form or a skin tone, and, joined to it, further pictures (families, professions). Beside these there are flags
-- of two letters, flags of regions written in tags, and keycaps.
create function private.is_emoji(text) returns boolean
language sql immutable set search_path = ''
as $$
  select char_length($1) <= 12 and $1 ~ (
    with parts as (
      select '[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u21AA\u231A-\u23FF\u24C2\u25AA-\u25FE\u2600-\u27BF'
        || '\u2934\u2935\u2B05-\u2B07\u2B1B\u2B1C\u2B50\u2B55\u3030\u303D\u3297\u3299'
        || '\U0001F004\U0001F0CF\U0001F170-\U0001F19A\U0001F201-\U0001F251\U0001F300-\U0001F64F'
        || '\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7F0\U0001F90C-\U0001F9FF\U0001FA70-\U0001FAFF]'
        || '[\uFE0F\U0001F3FB-\U0001F3FF]?' as picture
    )
    select '^(' || picture || '(\u200D' || picture || ')*'
      || '|[\U0001F1E6-\U0001F1FF]{2}'
      || '|\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]+\U000E007F'
      || '|[0-9#*]\uFE0F?\u20E3)$'
    from parts
  )
$$;
revoke execute on function private.is_emoji(text) from public;
grant execute on function private.is_emoji(text) to authenticated, service_role;

delete from public.chat_reactions where not private.is_emoji(emoji);

alter table public.chat_reactions
  drop constraint "A reaction is one emoji",
  add constraint "A reaction is one emoji" check (private.is_emoji(emoji));
