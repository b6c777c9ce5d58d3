/** Whether a request, such as a schedule's, carries the project's secret key, as its bearer token or `apikey`. */
export async function hasSecretKey(request: Request, secretKey: string): Promise<boolean> {
  const sent =
    /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ??
    request.headers.get('apikey') ??
    ''
  return secretKey !== '' && (await isSame(sent, secretKey))
}

// Comparing digests of equal length leaks nothing about the key through timing.
async function isSame(one: string, other: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const [first, second] = await Promise.all([digest(one), digest(other)])
  return first.every((byte, index) => byte === second[index])
}
