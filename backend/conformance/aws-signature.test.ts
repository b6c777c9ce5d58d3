// Amazon's examples ("Signature Calculations for the Authorization Header", Amazon S3 API Reference).
import { expect, test } from 'vitest'
import { signatureFault, type SignedRequest } from '../testing/aws-signature.ts'

const key = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const then = Date.UTC(2013, 4, 24)
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function theExample(names: string, signature: string, some: Partial<SignedRequest> = {}) {
  const scope = `${key.accessKeyId}/20130524/us-east-1/s3/aws4_request`
  return {
    method: 'GET',
    url: '/test.txt',
    body: new Uint8Array(),
    ...some,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': nothing,
      'x-amz-date': '20130524T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`,
      ...some.headers,
    },
  }
}

const getObject = (some: Partial<SignedRequest> = {}) =>
  theExample(
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    { ...some, headers: { range: 'bytes=0-9', ...some.headers } },
  )

test('Amazon’s signatures of GET object, PUT object and GET list are accepted', () => {
  expect(signatureFault(getObject(), key, then)).toBeUndefined()
  const putObject = theExample(
    'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    {
      method: 'PUT',
      url: '/test%24file.text',
      body: Buffer.from('Welcome to Amazon S3.'),
      headers: {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
    },
  )
  expect(signatureFault(putObject, key, then)).toBeUndefined()
  const list = theExample(
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    { url: '/?max-keys=2&prefix=J' },
  )
  expect(signatureFault(list, key, then)).toBeUndefined()
})

test('a request that differs from what was signed is rejected', () => {
  const fault = (some: Partial<SignedRequest>) => signatureFault(getObject(some), key, then)
  expect(fault({ method: 'DELETE' })).toBe('SignatureDoesNotMatch')
  expect(fault({ url: '/other.txt' })).toBe('SignatureDoesNotMatch')
  expect(fault({ headers: { range: 'bytes=0-99' } })).toBe('SignatureDoesNotMatch')
  expect(fault({ headers: { 'x-amz-copy-source': '/b/x' } })).toBe('AccessDenied')
  expect(fault({ body: Buffer.from('x') })).toBe('XAmzContentSHA256Mismatch')
  expect(signatureFault(getObject(), key)).toBe('RequestTimeTooSkewed')
  const other = { ...key, secretAccessKey: 'guessed' }
  expect(signatureFault(getObject(), other, then)).toBe('SignatureDoesNotMatch')
})
