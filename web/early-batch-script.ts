import type { Plugin } from 'vite'
import { withInlineScript } from './inline-script.ts'
import { EARLY_BATCHES } from './src/data/early-batch.ts'
import { REFRESHED_BEFORE_S, SESSION_KEY } from './src/data/session/stored-session.ts'

/**
 * Sends what the screen asked for last time while the code is loading (`src/data/early-batch.ts`), with a token that is still
 * good. An inline script, because it must not wait for a file; the server allows it by its hash.
 */
export function earlyBatchScript(): Plugin {
  return {
    name: 'early-batch-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page) => withInlineScript(page, EARLY_BATCH_SCRIPT),
    },
  }
}

// The login leads a member to Home. The first time that is formatted takes a slow phone a tenth of a second, which it has while it
// waits for the code.
export const EARLY_BATCH_SCRIPT = `(function () {
  try {
    var session = JSON.parse(localStorage.getItem('${SESSION_KEY}'))
    var batches = JSON.parse(localStorage.getItem('${EARLY_BATCHES}'))
    var path = location.pathname === '/' ? '/home' : location.pathname
    var batch = batches && batches[path]
    if (!session || !batch || session.expires_at - Date.now() / 1000 < ${REFRESHED_BEFORE_S}) return
    var url = location.origin + '/batch/v1'
    var headers = {
      apikey: batch.apikey,
      authorization: 'Bearer ' + session.access_token,
      'content-type': 'application/json',
    }
    var controller = new AbortController()
    var init = { method: 'POST', headers: headers, body: batch.body, signal: controller.signal }
    window.earlyBatch = {
      url: url,
      headers: headers,
      body: batch.body,
      sentAt: Date.now(),
      response: fetch(url, init).catch(function () { return null }),
      abort: function () { controller.abort() },
    }
    setTimeout(function () { new Intl.DateTimeFormat().format() })
  } catch (error) {
    console.warn('Nothing was asked for early', error)
  }
})()`
