import { App } from '@capacitor/app'

const OPEN_LAYER = '[role=dialog], [role=alertdialog], [role=menu]'
const FIRST_PAGES = ['/', '/home']

/** Android's back button: closes what is open, else goes back, else leaves the app running in the background. */
export async function followBackButton() {
  await App.addListener('backButton', ({ canGoBack }) => {
    if (document.querySelector(OPEN_LAYER)) return pressEscape()
    if (canGoBack && !FIRST_PAGES.includes(location.pathname)) return history.back()
    App.minimizeApp().catch((error: unknown) => console.warn('The app stays open', error))
  })
}

function pressEscape() {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
}
