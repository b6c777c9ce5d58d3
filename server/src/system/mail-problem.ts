export type MailProblem = 'login' | 'certificate' | 'encryption' | 'unreachable' | 'refused'

/** What a mail server's complaint is about. The complaint itself may quote addresses, so admins get this word. */
export function mailProblem(complaint: string): MailProblem {
  if (/invalid login|authenticat|\b53[0458]\b/i.test(complaint)) return 'login'
  if (/certificate|altnames/i.test(complaint)) return 'certificate'
  if (/STARTTLS|wrong version number|\bTLS\b|\bSSL\b/i.test(complaint)) return 'encryption'
  if (
    /\bE(CONN\w+|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST\w+|NET\w+|SOCKET|PIPE)\b|timeout|timed out|greeting never|connection closed|socket/i.test(
      complaint,
    )
  )
    return 'unreachable'
  return 'refused'
}
