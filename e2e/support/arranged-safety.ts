// What a member reported, whom they blocked and the house rules, for the pictures of these pages.
import { respondingWith } from './arranged.ts'

const MARCUS = 'd0000000-0000-4000-8000-000000000002'

const aReport = (place: number, some: object) => ({
  id: `20000000-0000-4000-8000-00000000000${place}`,
  member_id: MARCUS,
  member_name: 'Marcus Bell',
  message_id: null,
  message: null,
  reason: 'harassment',
  note: '',
  created_at: `2026-03-0${10 - place}T15:00:00Z`,
  outcome: null,
  closed_at: null,
  is_unread: false,
  ...some,
})

export const ownReports = respondingWith({
  my_reports: [
    aReport(1, { note: 'The third time this week' }),
    aReport(2, {
      message_id: '20000000-0000-4000-8000-000000000011',
      message: 'Guaranteed 12 % a year, and no risk at all',
      reason: 'misleading_claims',
      outcome: 'violation',
      closed_at: '2026-03-09T15:00:00Z',
    }),
  ],
})

export const blockedPeople = respondingWith({
  blocked_people: [
    {
      id: MARCUS,
      first_name: 'Marcus',
      last_name: 'Bell',
      blocked_at: '2026-03-09T15:00:00Z',
      rests: true,
    },
    {
      id: '20000000-0000-4000-8000-000000000021',
      first_name: 'Owen',
      last_name: 'Park',
      blocked_at: '2026-03-08T15:00:00Z',
      rests: false,
    },
  ],
})

export const houseRules = respondingWith({
  house_rules: [
    { body: '', contact: 'abuse@example.com', version: 1, must_accept: false, may_edit: true },
  ],
})
