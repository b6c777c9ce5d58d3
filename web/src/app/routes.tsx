import { lazyScreen } from './lazy-screen.ts'

export type AppRoute = {
  path: string
  screen: ReturnType<typeof lazyScreen>
  access: 'anyone' | 'member' | 'admin'
  /** On a phone the screen takes the whole height, without the bottom bar. */
  hidesBottomBar?: boolean
}

const comingSoon = lazyScreen(
  async () => (await import('./coming-soon-screen.tsx')).ComingSoonScreen,
)
const chat = lazyScreen(async () => (await import('#features/chat/chat-screen.tsx')).ChatScreen)

/* One line per screen. */
/* prettier-ignore */
export const routes: AppRoute[] = [
  { path: '/', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/login-screen.tsx')).LoginScreen) },
  { path: '/create-account', access: 'anyone', screen: comingSoon },
  { path: '/email-verify', access: 'anyone', screen: comingSoon },
  { path: '/forgot-password', access: 'anyone', screen: comingSoon },
  { path: '/new-password', access: 'anyone', screen: comingSoon },
  { path: '/home', access: 'member', screen: comingSoon },
  { path: '/newrepstart', access: 'member', screen: comingSoon },
  { path: '/training', access: 'member', screen: comingSoon },
  { path: '/schedule', access: 'member', screen: comingSoon },
  { path: '/licensing', access: 'member', screen: comingSoon },
  { path: '/calculator', access: 'member', screen: lazyScreen(async () => (await import('#features/calculator/calculator-screen.tsx')).CalculatorScreen) },
  { path: '/notifications', access: 'member', screen: comingSoon },
  { path: '/chat', access: 'member', screen: chat },
  { path: '/chat/create', access: 'member', hidesBottomBar: true, screen: chat },
  { path: '/chat/:chatId', access: 'member', hidesBottomBar: true, screen: chat },
  { path: '/profile', access: 'member', screen: comingSoon },
  { path: '/admin', access: 'admin', screen: comingSoon },
  { path: '/admin-manage', access: 'admin', screen: comingSoon },
]
