import { lazyScreen, type PreloadableScreen } from './lazy-screen.ts'

export type AppRoute = {
  path: string
  screen: PreloadableScreen
  access: 'anyone' | 'member' | 'admin'
  /** On a phone the screen takes the full height, without the bottom bar. */
  hidesBottomBar?: boolean
}

// Everything only members need (navigation, query cache) stays out of the login's first load.
export const MemberFrame = lazyScreen(
  async () => (await import('#app/member-frame.tsx')).MemberFrame,
)
export const AdminGuard = lazyScreen(async () => (await import('./admin-guard.tsx')).AdminGuard)

const chat = lazyScreen(async () => (await import('#features/chat/chat-screen.tsx')).ChatScreen)

/* One line per screen. */
/* prettier-ignore */
export const routes: AppRoute[] = [
  { path: '/', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/login-screen.tsx')).LoginScreen) },
  { path: '/create-account', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/create-account-screen.tsx')).CreateAccountScreen) },
  { path: '/join/:token', access: 'anyone', screen: lazyScreen(async () => (await import('#features/invitations/join-screen.tsx')).JoinScreen) },
  { path: '/email-verify', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/email-verify-screen.tsx')).EmailVerifyScreen) },
  { path: '/forgot-password', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/forgot-password-screen.tsx')).ForgotPasswordScreen) },
  { path: '/new-password', access: 'anyone', screen: lazyScreen(async () => (await import('#features/auth/new-password-screen.tsx')).NewPasswordScreen) },
  { path: '/house-rules', access: 'anyone', screen: lazyScreen(async () => (await import('#features/safety/house-rules-screen.tsx')).HouseRulesScreen) },
  { path: '/home', access: 'member', screen: lazyScreen(async () => (await import('./home-page.tsx')).HomePage) },
  { path: '/newrepstart', access: 'member', screen: lazyScreen(async () => (await import('#features/content/new-rep-start-screen.tsx')).NewRepStartScreen) },
  { path: '/training', access: 'member', screen: lazyScreen(async () => (await import('#features/content/training-screen.tsx')).TrainingScreen) },
  { path: '/schedule', access: 'member', screen: lazyScreen(async () => (await import('#features/content/schedule-screen.tsx')).ScheduleScreen) },
  { path: '/licensing', access: 'member', screen: lazyScreen(async () => (await import('#features/content/licensing-screen.tsx')).LicensingScreen) },
  { path: '/calculator', access: 'member', screen: lazyScreen(async () => (await import('#features/calculator/calculator-screen.tsx')).CalculatorScreen) },
  { path: '/people', access: 'member', screen: lazyScreen(async () => (await import('#features/people/people-screen.tsx')).PeopleScreen) },
  { path: '/notifications', access: 'member', screen: lazyScreen(async () => (await import('#features/notifications/notifications-screen.tsx')).NotificationsScreen) },
  { path: '/chat', access: 'member', screen: chat },
  { path: '/chat/create', access: 'member', hidesBottomBar: true, screen: chat },
  { path: '/chat/:chatId', access: 'member', hidesBottomBar: true, screen: chat },
  { path: '/profile/*', access: 'member', screen: lazyScreen(async () => (await import('./profile-routes.tsx')).ProfileRoutes) },
  { path: '/admin/*', access: 'admin', screen: lazyScreen(async () => (await import('./admin-routes.tsx')).AdminRoutes) },
  { path: '/supervision/*', access: 'member', screen: lazyScreen(async () => (await import('./supervision-routes.tsx')).SupervisionRoutes) },
  { path: '/admin-manage', access: 'admin', screen: lazyScreen(async () => (await import('./admin-manage-page.tsx')).AdminManagePage) },
  // Development only: the build drops the page.
  ...(import.meta.env.DEV ? [{ path: '/_ui', access: 'anyone' as const, screen: lazyScreen(async () => (await import('#app/dev/ui-page.tsx')).UiPage) }] : []),
  { path: '*', access: 'member', screen: lazyScreen(async () => (await import('./not-found-screen.tsx')).NotFoundScreen) },
]
