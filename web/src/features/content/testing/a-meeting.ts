import type { Meeting } from '../meeting.ts'

/** A meeting with every field set; a test overrides what matters to it. */
export function aMeeting(some: Partial<Meeting> = {}): Meeting {
  return {
    id: '5b0c2f5e-6a38-4b52-9d5c-0a4f6a1c2d3e',
    title: 'Team Training Night',
    description: null,
    url: null,
    image_url: null,
    sort_order: 0,
    day_of_week: 'Monday',
    start_time: '19:00:00',
    end_time: '20:30:00',
    meeting_id: null,
    meeting_password: null,
    ...some,
  }
}
