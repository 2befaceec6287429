/** The sentences of e-mails, in Arabic. */
import type { Words } from './sentences.js';

export const ar: Words = {
  hello: 'مرحبًا {name}،',
  host: 'أُرسلت من Moorage على {host}.',

  'notifications.subject': 'أضاف {actor} ملفات إلى «{work}»',
  'notifications.subjects': 'أُضيفت ملفات إلى حزم عملك',
  'notifications.entry': 'أضاف {actor} {files} إلى «{work}» في {project}:',
  'notifications.and': '{files} و{count} غيرها',
  'notifications.others': 'توجد إشعارات أخرى:',
  'notifications.why':
    'تصلك هذه الرسالة لأن حزم العمل لك، أو لأنك علّقت عليها. اختر متى تصلك مثل هذه الرسائل:',
  'notifications.stop': 'لإيقاف هذه الرسائل:',

  'invitation.subject': 'حسابك على {host}',
  'invitation.text': 'لديك الآن حساب باسم الدخول {login}. عيّن كلمة مروره هنا:',
  'password.subject': 'تعيين كلمة مرور جديدة',
  'password.text': 'طلب أحدهم كلمة مرور جديدة لحسابك {login}. عيّنها هنا:',
  'password.ignore': 'إن لم تكن أنت فتجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.',
  'link.until': 'يعمل العنوان مرة واحدة، وحتى {time}.',

  'quarantined.subject': 'ملف في الحجر: {file}',
  'quarantined.text':
    'أبلغ ماسح الفيروسات عن الملف {file} الذي رفعه {person}. لا يمكن لأحد تنزيله. ' +
    'أطلقه أو احذفه هنا:',
  'storage.subject': 'مخزن لا يعمل: {name}',
  'storage.text': 'لا يعمل المخزن {name} منذ {time}. اقرأ السبب هنا:',
  'webhook.subject': 'خطاف ويب لا يعمل: {host}',
  'webhook.text':
    'لم يقبل خطاف الويب {address} أي حدث منذ {time}. آخر جواب: {answer} تجد عمليات التسليم هنا:',
  'disk.subject': 'قرص شبه ممتلئ: {host}',
  'disk.text':
    'بقي {free} من {size} على قرص المجلد {folder} في {host}. تفشل عمليات الرفع عندما يمتلئ.',
  'alert.why': 'تصلك هذه الرسالة لأنك مدير للنظام.',
};
