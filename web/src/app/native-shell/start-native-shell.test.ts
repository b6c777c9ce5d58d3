import { beforeEach, expect, test, vi } from 'vitest'
import { startNativePhone } from '../../../testing/native-phone.ts'

let dark = false

beforeEach(() => {
  vi.resetModules()
  dark = false
  vi.stubGlobal('matchMedia', () => ({ matches: dark, addEventListener() {} }))
  document.head.innerHTML = `
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f4f6f9" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a1220" />`
  document.body.innerHTML = ''
  delete document.documentElement.dataset.theme
  history.replaceState(null, '', '/home')
})

async function start(phone = startNativePhone()) {
  const { startNativeShell } = await import('./start-native-shell.ts')
  await startNativeShell()
  return phone
}

function eventsOf(name: string) {
  const details: unknown[] = []
  const collect = (event: Event) => details.push((event as CustomEvent).detail)
  window.addEventListener(name, collect)
  return details
}

const tap = (data: unknown) => ({ actionId: 'tap', notification: { id: '1', data } })

test('a tapped notification about a chat raises navigate-to-chat', async () => {
  const chats = eventsOf('navigate-to-chat')
  const phone = await start()
  const data = { chat_id: 'c1', kind: 'message' }
  phone.raise('PushNotifications.pushNotificationActionPerformed', tap(data))
  expect(chats).toEqual([{ chatId: 'c1' }])
})

test('the tap that started the app raises navigate-to-chat too', async () => {
  const chats = eventsOf('navigate-to-chat')
  const phone = startNativePhone()
  phone.raise('PushNotifications.pushNotificationActionPerformed', tap({ chat_id: 'c2' }))
  await start(phone)
  await vi.waitFor(() => expect(chats).toEqual([{ chatId: 'c2' }]))
})

test('a tapped notice opens its page in the app; any other link opens the notifications', async () => {
  const paths = eventsOf('navigate-to-path')
  const phone = await start()
  for (const data of [
    { link: '/schedule' },
    { link: 'https://a.example' },
    { link: '//a' },
    null,
  ]) {
    phone.raise('PushNotifications.pushNotificationActionPerformed', tap(data))
  }
  const inbox = { path: '/notifications' }
  expect(paths).toEqual([{ path: '/schedule' }, inbox, inbox, inbox])
})

test('a deep link opens its page', async () => {
  const paths = eventsOf('navigate-to-path')
  const phone = startNativePhone()
  phone.raise('App.appUrlOpen', { url: 'com.example.rally://training?category=Mindset' })
  await start(phone)
  await vi.waitFor(() => expect(paths).toEqual([{ path: '/training?category=Mindset' }]))
})

test('the splash screen hides once the app is ready, and starting twice changes nothing', async () => {
  const phone = await start()
  await start(phone)
  expect(phone.calledWith('SplashScreen.hide')).toHaveLength(1)
})

test("the status bar follows the member's theme, else the phone's", async () => {
  dark = true
  const phone = await start()
  expect(phone.calledWith('StatusBar.setStyle').at(-1)).toEqual({ style: 'DARK' })
  document.documentElement.dataset.theme = 'light'
  await vi.waitFor(() =>
    expect(phone.calledWith('StatusBar.setBackgroundColor').at(-1)).toEqual({
      color: '#f4f6f9',
    }),
  )
  expect(phone.calledWith('StatusBar.setStyle').at(-1)).toEqual({ style: 'LIGHT' })
})

test('a phone that lacks one feature still gets the others', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const phone = await start(startNativePhone({ 'StatusBar.setStyle': new Error('none here') }))
  expect(phone.calledWith('SplashScreen.hide')).toHaveLength(1)
})

test('the back button closes an overlay, else goes back, else moves the app to the background', async () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {})
  const keys = vi.fn()
  document.addEventListener('keydown', (event) => void keys(event.key), { once: true })
  const phone = await start()

  document.body.innerHTML = '<div role="dialog"></div>'
  phone.raise('App.backButton', { canGoBack: true })
  expect(keys).toHaveBeenCalledWith('Escape')
  expect(back).not.toHaveBeenCalled()

  document.body.innerHTML = ''
  history.replaceState(null, '', '/training')
  phone.raise('App.backButton', { canGoBack: true })
  expect(back).toHaveBeenCalledTimes(1)

  history.replaceState(null, '', '/home')
  phone.raise('App.backButton', { canGoBack: true })
  await vi.waitFor(() => expect(phone.calledWith('App.minimizeApp')).toHaveLength(1))
  expect(back).toHaveBeenCalledTimes(1)
})

test('sending a message gives light haptic feedback', async () => {
  const phone = await start()
  window.dispatchEvent(new Event('message-sent'))
  await vi.waitFor(() =>
    expect(phone.calledWith('Haptics.impact')).toContainEqual({ style: 'LIGHT' }),
  )
})
