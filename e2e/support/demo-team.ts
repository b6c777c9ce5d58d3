const password = 'rally-demo'

/** Two members of the demo team (supabase/seed): a new rep, and a vice president, who is an admin. */
export const MAYA = { email: 'maya.ortiz@example.com', password }
export const DANA = { email: 'dana.reyes@example.com', password }
