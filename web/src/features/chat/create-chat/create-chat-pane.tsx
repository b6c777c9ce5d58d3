export function CreateChatPane() {
  return null
}
