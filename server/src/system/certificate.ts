// Looks at the certificate of the public address as a browser would. Nothing but the settings' own address is connected to.
import { isIP } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'

const TIMEOUT_MS = 10_000
const HTTPS_PORT = 443

export type CertificateResult = {
  expires_at: string | null
  /** `name`: it is for another host. `untrusted`: browsers do not know who signed it. Null: none, or only that it is too old. */
  problem: 'unreachable' | 'name' | 'untrusted' | null
}

/** Takes ten seconds at most, and never throws. */
export async function checkCertificate(
  siteUrl: string,
  options: { timeoutMs?: number; ca?: ConnectionOptions['ca'] } = {},
): Promise<CertificateResult> {
  const { timeoutMs = TIMEOUT_MS, ca } = options
  const { hostname, port } = new URL(siteUrl)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const unreachable: CertificateResult = { expires_at: null, problem: 'unreachable' }
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port) || HTTPS_PORT,
      // To see a bad certificate, it has to be accepted. Nothing is sent.
      rejectUnauthorized: false,
      ...(isIP(host) ? {} : { servername: host }),
      ...(ca ? { ca } : {}),
    })
    const end = (result: CertificateResult) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => end(unreachable), timeoutMs)
    socket.once('error', () => end(unreachable))
    socket.once('close', () => end(unreachable))
    socket.once('secureConnect', () => end(describe(socket)))
  })
}

function describe(socket: TLSSocket): CertificateResult {
  const { valid_to } = socket.getPeerCertificate()
  if (!valid_to) return { expires_at: null, problem: 'unreachable' }
  return { expires_at: new Date(valid_to).toISOString(), problem: problemOf(socket) }
}

function problemOf({ authorized, authorizationError }: TLSSocket): CertificateResult['problem'] {
  if (authorized) return null
  const code = String(authorizationError)
  if (code === 'CERT_HAS_EXPIRED') return null
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'name' : 'untrusted'
}
