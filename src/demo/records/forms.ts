import { choiceQuestion, contactQuestion, type DemoForm, question, required } from './form-questions.ts';

/** The forms of the demo organization. They contain every type of field, and are open, closed and unpublished. */
export const FORMS: readonly DemoForm[] = [
  {
    title: 'Visitor Welcome Card',
    description: 'Tell us who you are, and we will say hello.',
    isPublished: true,
    acceptingResponse: true,
    responses: 12,
    questions: [
      required(
        contactQuestion('How can we reach you?', { first_name: true, last_name: true, email: true, phone: true }),
      ),
      question('short_answer', 'Who invited you?', {
        samples: ['A neighbour', 'My sister', 'Nobody, I walked in', 'A colleague', 'I saw the sign'],
      }),
      required(
        choiceQuestion(
          'dropdown',
          'How did you hear about us?',
          ['A friend', 'The website', 'A sign or flyer', 'Other'],
          'The newspaper',
        ),
      ),
      choiceQuestion(
        'multiple_choice',
        'What would you like to know more about?',
        ['Small groups', 'Children and family', 'Music', 'Serving'],
        'Bowling league',
      ),
      question('paragraph', 'Anything you would like us to know?', {
        samples: [
          'We just moved here and are looking for a church close by.',
          'Thank you for the warm welcome. The children loved the morning.',
          'I use a wheelchair; the side entrance worked well.',
        ],
      }),
    ],
  },
  {
    title: 'Summer Retreat Registration',
    description: 'Four days by the lake, 16 to 19 July. Register by the end of June.',
    isPublished: true,
    acceptingResponse: true,
    responses: 14,
    questions: [
      required(question('email', 'Your email address')),
      required(question('phone_number', 'A number for emergencies', { description: 'With the country code' })),
      required(
        question('date', 'Date of birth', { samples: ['1984-03-17', '1991-11-02', '2001-06-25', '1968-09-09'] }),
      ),
      required(question('number', 'How many people come with you?', { samples: [0, 1, 2, 3, 4] })),
      required(
        choiceQuestion('single_choice', 'Where would you like to sleep?', ['Cabin', 'Tent', 'Day guest'], 'Camper van'),
      ),
      question('time', 'When will you arrive on Thursday?', { samples: ['14:30', '16:00', '17:15', '18:45'] }),
      required(question('payment', 'Deposit', { description: '50 dollars for each family', samples: [50] })),
      question('file_upload', 'Signed consent form', {
        description: 'For everybody under 18',
        samples: ['consent-form.pdf', 'consent.jpg'],
      }),
    ],
  },
  {
    title: 'Sunday Service Survey',
    description: 'Two minutes that help us plan the autumn. Closed; thank you to everybody who answered.',
    isPublished: true,
    acceptingResponse: false,
    responses: 10,
    questions: [
      required(
        question('scale', 'How welcome did you feel?', {
          description: '1, not at all, to 5, very',
          samples: [3, 4, 5, 5],
        }),
      ),
      required(question('scale', 'How clear was the sermon?', { description: '1 to 5', samples: [2, 3, 4, 4, 5] })),
      choiceQuestion('single_choice', 'Which time suits you best?', ['9:00', '11:00', '17:00'], '8:00'),
      question('paragraph', 'What should we change?', {
        samples: ['More hymns, please.', 'The sound in the back rows is too low.', 'Nothing. Keep going.'],
      }),
    ],
  },
  {
    title: 'Volunteer Application',
    description: null,
    isPublished: true,
    acceptingResponse: true,
    responses: 8,
    questions: [
      required(contactQuestion('Who are you?', { first_name: true, last_name: true, email: true, phone: false })),
      required(
        choiceQuestion(
          'multiple_choice',
          'Where would you like to serve?',
          ['Hospitality', 'Children', 'Sound and video', 'Food pantry'],
          'Parking',
        ),
      ),
      required(question('number', 'Hours a month', { samples: [4, 6, 8, 12] })),
      question('date', 'When can you start?', { samples: ['2026-03-01', '2026-04-15', '2026-09-01'] }),
      question('time', 'When is it best to call you?', { samples: ['09:30', '12:15', '19:00'] }),
      question('file_upload', 'Certificates', { samples: ['first-aid.pdf', 'safeguarding.pdf'] }),
    ],
  },
  {
    title: 'Membership Class Sign-Up',
    description: 'By invitation: three evenings on what we believe and how we live together.',
    isPublished: false,
    acceptingResponse: true,
    responses: 4,
    questions: [
      question('short_answer', 'Who invited you?', {
        samples: ['Pastor Samuel', 'My small group', 'The church office'],
      }),
      required(question('email', 'Your email address')),
      choiceQuestion('dropdown', 'Which class?', ['March', 'June', 'October'], 'January'),
    ],
  },
  {
    title: 'Building Fund Pledge',
    description: 'Draft for the finance team.',
    isPublished: false,
    acceptingResponse: false,
    responses: 0,
    questions: [
      required(contactQuestion('Who pledges?', { first_name: true, last_name: true, email: true, phone: true })),
      required(question('payment', 'First payment')),
      choiceQuestion('dropdown', 'How often?', ['Monthly', 'Quarterly', 'Once'], 'Weekly'),
    ],
  },
];
